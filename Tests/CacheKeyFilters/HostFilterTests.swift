import DarkroomCacheKeyFilters
import Testing

struct HostFilterTests {
    @Test(arguments: [
        ("HTTP://WWW.Example.COM/Path?Q=A#F", "http://www.example.com/Path?Q=A#F"),
        ("http://User:PassWord@HOST:80/P", "http://User:PassWord@host:80/P"),
        ("http://User@Home@HOST", "http://User@Home@host"), ("http://[2001:DB8::A]:80/P", "http://[2001:db8::a]:80/P"),
        ("http://[FE80::1%25Eth0]/P", "http://[fe80::1%25Eth0]/P"), ("http://[FE80/P", "http://[FE80/P"),
        ("http://HOST?Q=A/B@C", "http://host?Q=A/B@C"), ("http://HOST#F", "http://host#F"),
        ("http://A%2FB/P", "http://a%2FB/P"), ("FILE:///Path/A.PNG", "file:///Path/A.PNG"),
        ("//HOST/P", "//HOST/P"), ("Path/A", "Path/A"), ("DATA://Image,A", "DATA://Image,A"), ("", ""),
        ("HOST:80/P", "HOST:80/P"), ("1HTTP://HOST", "1HTTP://HOST"), ("Album:Beach", "Album:Beach"),
        ("http://Ä.COM/É", "http://Ä.com/É"), ("SVN+SSH://HOST", "svn+ssh://host"),
    ])
    func schemeAndHostAreLowercased(text: String, result: String) {
        #expect(LowercaseHost().key(text) == result)
    }

    @Test(arguments: [
        ("http://img1.example.com/a", "http://img.example.com/a"),
        ("https://u:p@IMG2.Example.com:8443/a?b#c", "https://u:p@img.example.com:8443/a?b#c"),
        ("http://[::1]:80/a", "http://localhost:80/a"), ("http://img1.example.com", "http://img.example.com"),
        ("http://other/img1.example.com", "http://other/img1.example.com"),
        ("http://img1.example.com@other/", "http://img1.example.com@other/"),
        ("http://img1.example.com.evil/", "http://img1.example.com.evil/"),
        ("http://other?@img1.example.com", "http://other?@img1.example.com"),
        ("img1.example.com/a", "img1.example.com/a"), ("http://first/", "http://second/"), ("http:///a", "http:///a"),
    ])
    func hostsAreReplaced(text: String, result: String) {
        let filter = MapHost([
            "img1.example.com": "img.example.com", "Img2.example.COM": "img.example.com", "[::1]": "localhost",
            "first": "second", "second": "third",
        ])
        #expect(filter.key(text) == result)
    }
}

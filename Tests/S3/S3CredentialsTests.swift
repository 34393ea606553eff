import DarkroomS3
import Testing

struct S3CredentialsTests {
    @Test func permanentCredentialsHaveNoToken() {
        #expect(S3Credentials(accessKeyID: "key", secretAccessKey: "secret").sessionToken == nil)
    }
}

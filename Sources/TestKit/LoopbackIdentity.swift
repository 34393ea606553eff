/// The self-signed identity `pictures.test` of a `LoopbackServer` with TLS, for tests only.
///
/// Created with OpenSSL 3.0.19 on 2026-11-21, valid until 2126: `openssl req -x509 -newkey ec -pkeyopt
/// ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=Darkroom loopback test" -addext
/// "subjectAltName=DNS:pictures.test"`
public enum LoopbackIdentity {
    /// The certificate, which is its own authority, as PEM.
    public static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBszCCAVmgAwIBAgIUbYbTuwFQsCNCOITnM4Skw0K0LvwwCgYIKoZIzj0EAwIw
        ITEfMB0GA1UEAwwWRGFya3Jvb20gbG9vcGJhY2sgdGVzdDAgFw0yNjExMjExODAw
        MjJaGA8yMTI2MTAyODE4MDAyMlowITEfMB0GA1UEAwwWRGFya3Jvb20gbG9vcGJh
        Y2sgdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKZUSqRvQk5uveum2wf7
        t1aRBeS3PVu20YP/5xOp9hrysNA+Lw/rfLfdpkUwL8koWbIyc+omCt2H0a2Kd4R4
        AV+jbTBrMB0GA1UdDgQWBBSIhytJ4pcSmTqvsonAQD91rW1UBDAfBgNVHSMEGDAW
        gBSIhytJ4pcSmTqvsonAQD91rW1UBDAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQR
        MA+CDXBpY3R1cmVzLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIhALi+MtzegRDo8l4g
        kltOFDl6Lj4Uhs01QU8tsJqZLRbFAiBQw3antCy3C1cnCaBqxn+2kYc6nFojms6g
        ZzeIFmEIiw==
        -----END CERTIFICATE-----
        """

    /// The private key, in PEM form.
    package static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFpXe0XlssDRfnpzB
        Z4lMZRK9FPVlJ1FvTkQnXU1e8M2hRANCAASmVEqkb0JObr3rptsH+7dWkQXktz1b
        ttGD/+cTqfYa8rDQPi8P63y33aZFMC/JKFmyMnPqJgrdh9GtineEeAFf
        -----END PRIVATE KEY-----
        """
}

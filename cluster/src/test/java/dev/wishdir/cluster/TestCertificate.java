package dev.wishdir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate with its key: two files in PEM.
 *
 * @param chain the certificate
 * @param key PKCS #8
 */
record TestCertificate(Path chain, Path key) {
    private static final String PASSWORD = "password";

    /**
     * A new one, made by the tool that comes with Java.
     *
     * @param host as the tool has it: {@code ip:127.0.0.1}
     */
    static TestCertificate in(Path folder, String name, String host)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve(name + ".p12");
        Process tool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                "CN=" + name,
                                "-ext",
                                "san=" + host,
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                store.toString())
                        .inheritIO()
                        .start();
        assertThat(tool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return new TestCertificate(
                pem(
                        folder.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate("server").getEncoded()),
                pem(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String label, byte[] der) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
                        .formatted(label, Base64.getMimeEncoder().encodeToString(der)));
    }
}

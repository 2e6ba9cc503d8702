package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for this machine, with its key: two files in PEM.
 *
 * @param chain the certificate
 * @param key PKCS#8
 */
record Certificate(Path chain, Path key) {
    private static final String PASSWORD = "password";

    /** A new one, made by the tool that comes with Java. */
    static Certificate in(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("store.p12");
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
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                store.toString())
                        .inheritIO()
                        .start();
        assertThat(tool.waitFor()).isZero();
        try {
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            return new Certificate(
                    pem(folder, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
                    pem(
                            folder,
                            "PRIVATE KEY",
                            keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static Path pem(Path folder, String label, byte[] der) throws IOException {
        String text =
                "-----BEGIN %s-----\n%s\n-----END %1$s-----\n"
                        .formatted(label, Base64.getMimeEncoder().encodeToString(der));
        return Files.writeString(folder.resolve(label.replace(' ', '-') + ".pem"), text);
    }
}

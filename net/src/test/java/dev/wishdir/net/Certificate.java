package dev.wishdir.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate, with its key: two files in PEM.
 *
 * @param chain the certificate
 * @param key PKCS#8
 * @param server TLS of a server that has it
 * @param client TLS of a client that trusts only it
 */
public record Certificate(Path chain, Path key, SSLContext server, SSLContext client) {
    private static final String PASSWORD = "password";

    /** A new one for this machine. */
    public static Certificate in(Path folder) throws IOException, InterruptedException {
        return in(folder, "dns:localhost,ip:127.0.0.1");
    }

    /**
     * A new one, made by the tool that comes with Java.
     *
     * @param folder of its files, made if there is none
     * @param names of the server, as {@code dns:localhost,ip:127.0.0.1}
     */
    public static Certificate in(Path folder, String names)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
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
                                "san=" + names,
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                store.toString())
                        .inheritIO()
                        .start();
        assertThat(tool.waitFor()).isZero();
        char[] password = PASSWORD.toCharArray();
        try {
            KeyStore keys = KeyStore.getInstance(store.toFile(), password);
            KeyManagerFactory managers =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, password);
            SSLContext server = SSLContext.getInstance("TLS");
            server.init(managers.getKeyManagers(), null, null);
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("server", keys.getCertificate("server"));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext client = SSLContext.getInstance("TLS");
            client.init(null, trust.getTrustManagers(), null);
            return new Certificate(
                    pem(folder, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
                    pem(folder, "PRIVATE KEY", keys.getKey("server", password).getEncoded()),
                    server,
                    client);
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

package dev.wishdir.cluster.nats;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS for NATS, by PEM files. The server's certificate must be for the host that is given. */
final class NatsTls {
    private static final List<String> KEY_KINDS = List.of("RSA", "EC", "Ed25519");

    private NatsTls() {}

    /**
     * @throws IOException if a file cannot be read, or is not what it should be
     */
    static SSLContext context(NatsSettings.Tls files) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keyManagers(files),
                    new TrustManager[] {new HostNameVerifier(trustManager(files.authority()))},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot set up TLS: " + e.getMessage(), e);
        }
    }

    private static X509ExtendedTrustManager trustManager(Optional<Path> authority)
            throws IOException, GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (authority.isPresent()) {
            KeyStore trusted = emptyStore();
            int count = 0;
            for (Certificate each : certificates(authority.get())) {
                trusted.setCertificateEntry("authority-" + count++, each);
            }
            factory.init(trusted);
        } else {
            factory.init((KeyStore) null);
        }
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("Java has no X.509 trust manager");
    }

    private static KeyManager[] keyManagers(NatsSettings.Tls files)
            throws IOException, GeneralSecurityException {
        if (files.certificate().isEmpty() || files.privateKey().isEmpty()) {
            return new KeyManager[0];
        }
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "client",
                privateKey(files.privateKey().get()),
                new char[0],
                certificates(files.certificate().get()).toArray(Certificate[]::new));
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file) throws IOException {
        byte[] text = read(file).getBytes(StandardCharsets.ISO_8859_1);
        try {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(text));
            if (!certificates.isEmpty()) {
                return certificates;
            }
        } catch (CertificateException e) {
            throw new IOException(file + " has no certificate in PEM format", e);
        }
        throw new IOException(file + " has no certificate in PEM format");
    }

    /**
     * The text of a file of the settings.
     *
     * @throws IOException if it cannot be read, with its name and why
     */
    static String read(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IOException(file + " may not be read by this user", e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        String text = read(file);
        int begin = text.indexOf("-----BEGIN PRIVATE KEY-----");
        int end = text.indexOf("-----END PRIVATE KEY-----");
        if (begin < 0 || end < begin) {
            throw new IOException(
                    file + " has no private key in PKCS #8 (\"BEGIN PRIVATE KEY\"), unencrypted");
        }
        byte[] encoded =
                Base64.getMimeDecoder().decode(text.substring(text.indexOf('\n', begin), end));
        for (String kind : KEY_KINDS) {
            try {
                return KeyFactory.getInstance(kind)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException _) {
                // It is of another kind.
            }
        }
        throw new IOException(file + " has no private key of RSA, EC or Ed25519");
    }

    /** Also checks the host name, which the NATS client does not ask for. */
    private static final class HostNameVerifier extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager manager;

        HostNameVerifier(X509ExtendedTrustManager manager) {
            this.manager = manager;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            if (!(socket instanceof SSLSocket secure)) {
                throw new CertificateException("the host of the NATS server is not known");
            }
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            manager.checkServerTrusted(chain, authType, secure);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
            manager.checkServerTrusted(chain, authType, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType)
                throws CertificateException {
            throw new CertificateException("the host of the NATS server is not known");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            manager.checkClientTrusted(chain, authType, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            manager.checkClientTrusted(chain, authType, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType)
                throws CertificateException {
            manager.checkClientTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return manager.getAcceptedIssuers();
        }
    }
}

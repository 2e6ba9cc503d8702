package dev.wishdir.nethernet.identity;

import dev.wishdir.wire.TextFile;

import org.jose4j.keys.EllipticCurves;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/** The key pair over P-384 that identifies a server or client. Clients remember a server's. */
public final class IdentityKey {
    private static final int MAX_FILE_BYTES = 4096;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private final KeyPair keys;

    /**
     * @throws IllegalArgumentException if the keys are not of P-384
     */
    public IdentityKey(KeyPair keys) {
        if (!(keys.getPublic() instanceof ECPublicKey ec) || !P384.isOnCurve(ec)) {
            throw new IllegalArgumentException("key is not over P-384");
        }
        this.keys = keys;
    }

    /** A new key pair. */
    public static IdentityKey generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(EllipticCurves.P384);
            return new IdentityKey(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no secp384r1", e);
        }
    }

    /**
     * Reads the key of a file, or creates the file with a new one.
     *
     * <p>The file has PKCS#8 and the public key in two PEM blocks, and only its owner may access
     * it.
     *
     * @throws IOException if the file can't be read or written, has no such key, or others may read
     *     it; the message names the file
     */
    public static IdentityKey ofFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            IdentityKey made = generate();
            try {
                write(file, made);
                return made;
            } catch (FileAlreadyExistsException e) {
                // Another server has just created it.
            }
        }
        Set<PosixFilePermission> rights = rights(file);
        if (!OWNER_ONLY.containsAll(rights)) {
            throw new IOException(
                    file
                            + " holds a private key and may be read or written by others ("
                            + PosixFilePermissions.toString(rights)
                            + "): chmod 600 it");
        }
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException(file + " is not a file of an identity key");
        }
        String text = TextFile.read(file, MAX_FILE_BYTES);
        try {
            KeyFactory factory = KeyFactory.getInstance("EC");
            ECPrivateKey privateKey =
                    (ECPrivateKey)
                            factory.generatePrivate(
                                    new PKCS8EncodedKeySpec(block(text, "PRIVATE KEY")));
            ECPublicKey publicKey =
                    P384.key(Base64.getEncoder().encodeToString(block(text, "PUBLIC KEY")));
            return new IdentityKey(new KeyPair(publicKey, privateKey));
        } catch (GeneralSecurityException | IdentityRejectedException | RuntimeException e) {
            throw new IOException(file + " holds no key of P-384", e);
        }
    }

    private static Set<PosixFilePermission> rights(Path file) throws IOException {
        try {
            return Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException e) {
            return OWNER_ONLY;
        }
    }

    private static void write(Path file, IdentityKey key) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes =
                posix
                        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                        : new FileAttribute<?>[0];
        Files.createFile(file, attributes);
        Files.writeString(
                file,
                pem("PRIVATE KEY", key.keys.getPrivate().getEncoded())
                        + pem("PUBLIC KEY", key.keys.getPublic().getEncoded()),
                StandardOpenOption.WRITE);
    }

    private static String pem(String label, byte[] der) {
        return String.format(
                Locale.ROOT,
                "-----BEGIN %s-----\n%s\n-----END %1$s-----\n",
                label,
                Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    }

    /** The content of a PEM block. */
    static byte[] block(String text, String label) throws IdentityRejectedException {
        String begin = "-----BEGIN " + label + "-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END " + label + "-----");
        if (from < 0 || to < from) {
            throw new IdentityRejectedException("no " + label);
        }
        return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    }

    /** The public key, which a login over this identity must name. */
    public ECPublicKey publicKey() {
        return (ECPublicKey) keys.getPublic();
    }

    KeyPair keys() {
        return keys;
    }

    /** SHA-256 of the public key in hex, which clients compare. */
    public String fingerprint() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(keys.getPublic().getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }
}

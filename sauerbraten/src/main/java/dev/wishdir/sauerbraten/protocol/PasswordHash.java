package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.sauerbraten.message.CubeText;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The password hash in {@code N_CONNECT} and {@code N_SETMASTER}: the Tiger hash of client number,
 * session id and password, as hex with the low digit of each byte first (Cube 2: Sauerbraten,
 * connecting).
 */
public final class PasswordHash {
    private PasswordHash() {}

    /**
     * The hash of a password; empty for an empty password.
     *
     * @param cn from the server's {@code N_SERVINFO}
     * @param sessionid from the server's {@code N_SERVINFO}
     */
    public static String of(int cn, int sessionid, String password) {
        if (password.isEmpty()) {
            return "";
        }
        String text = cn + " " + sessionid + " " + password;
        byte[] bytes = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            int code = CubeText.code(text.charAt(i));
            if (code > 0) {
                bytes[length++] = (byte) code;
            }
        }
        byte[] hash = Tiger.hash(Arrays.copyOf(bytes, length));
        for (int i = 0; i < hash.length; i++) {
            hash[i] = (byte) (hash[i] << 4 | (hash[i] & 0xFF) >>> 4);
        }
        return HexFormat.of().formatHex(hash);
    }
}

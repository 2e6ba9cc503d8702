package dev.wishdir.net.http;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The body of an HTTP request or response: bytes of a media type. */
public final class HttpBody {
    /** An empty body. */
    public static final HttpBody NONE = new HttpBody("", new byte[0]);

    private final String type;
    private final byte[] bytes;

    /**
     * @param type the media type; empty where there is no body
     * @param bytes not copied; must not be changed afterwards
     */
    public HttpBody(String type, byte[] bytes) {
        this.type = Objects.requireNonNull(type, "type");
        this.bytes = Objects.requireNonNull(bytes, "bytes");
    }

    /** A UTF-8 text. */
    public static HttpBody of(String type, String text) {
        return new HttpBody(type, text.getBytes(StandardCharsets.UTF_8));
    }

    public String type() {
        return type;
    }

    /** The bytes, not copied; must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** The bytes as UTF-8; malformed input is replaced by U+FFFD. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

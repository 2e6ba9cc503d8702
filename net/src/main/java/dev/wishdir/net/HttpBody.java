package dev.wishdir.net;

import java.nio.charset.StandardCharsets;

/** The content of a request or a response: bytes of a media type. */
public final class HttpBody {
    /** Nothing. */
    public static final HttpBody NONE = new HttpBody("", new byte[0]);

    private final String type;
    private final byte[] bytes;

    /**
     * @param type the media type; empty where there is no content
     * @param bytes given away
     */
    public HttpBody(String type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** A text in UTF-8. */
    public static HttpBody of(String type, String text) {
        return new HttpBody(type, text.getBytes(StandardCharsets.UTF_8));
    }

    public String type() {
        return type;
    }

    /** The bytes themselves, which nobody changes. */
    public byte[] bytes() {
        return bytes;
    }

    /** The bytes as UTF-8; what is none is replaced. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

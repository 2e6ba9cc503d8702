package dev.wishdir.net.http;

import java.util.Objects;

/**
 * An HTTP response. The connection is closed after it.
 *
 * @param status 200..599
 */
public record HttpResponse(int status, HttpBody body) {
    public HttpResponse {
        Objects.requireNonNull(body, "body");
    }

    /** A response with a plain text body. */
    public static HttpResponse of(int status, String text) {
        return new HttpResponse(status, HttpBody.of("text/plain; charset=utf-8", text));
    }

    /** Whether the status is 2xx. */
    public boolean isSuccess() {
        return status / 100 == 2;
    }
}

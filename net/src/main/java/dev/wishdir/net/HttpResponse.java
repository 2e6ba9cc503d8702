package dev.wishdir.net;

/**
 * An answer. The connection ends with it.
 *
 * @param status 200..599
 */
public record HttpResponse(int status, HttpBody body) {
    /** A short answer in words. */
    public static HttpResponse of(int status, String words) {
        return new HttpResponse(status, HttpBody.of("text/plain; charset=utf-8", words));
    }

    /** Whether the request was taken. */
    public boolean isSuccess() {
        return status / 100 == 2;
    }
}

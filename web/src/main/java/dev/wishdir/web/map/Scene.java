package dev.wishdir.web.map;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/** The geometry of a level, encoded and compressed once for all browsers. */
final class Scene {
    private final byte[] mesh;
    private final byte[] compressed;
    private final String tag;

    /**
     * Compresses a mesh.
     *
     * @param mesh encoded by {@link Mesh}
     */
    Scene(byte[] mesh) {
        this.mesh = mesh;
        CRC32C sum = new CRC32C();
        sum.update(mesh);
        tag = Long.toHexString(sum.getValue()) + "-" + mesh.length;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(mesh);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        compressed = out.toByteArray();
    }

    /** Sends the geometry, unless the browser has it in its cache. */
    void answer(Context context) {
        context.disableCompression();
        context.header("Cache-Control", "no-cache");
        context.header("Vary", "Accept-Encoding");
        context.header("ETag", "\"" + tag + "\"");
        if (header(context, "If-None-Match").contains(tag)) {
            context.status(HttpStatus.NOT_MODIFIED);
            return;
        }
        context.contentType("application/octet-stream");
        if (header(context, "Accept-Encoding").contains("gzip")) {
            context.header("Content-Encoding", "gzip").result(compressed);
        } else {
            context.result(mesh);
        }
    }

    private static String header(Context context, String name) {
        return Optional.ofNullable(context.header(name)).orElse("");
    }
}

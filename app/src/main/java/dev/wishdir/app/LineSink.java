package dev.wishdir.app;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Where a {@link AsyncLineWriter} writes its lines: a file, a pipe or a standard stream. */
interface LineSink {
    /**
     * Writes whole lines, and returns when the operating system has them. It may block.
     *
     * @throws IOException if not all of them were written; a file then holds none of them
     */
    void write(String lines) throws IOException;

    /** Opens a file again by its name, which may be another file now; streams stay. */
    default void reopen() throws IOException {}

    /** Releases a file; standard streams stay open. */
    default void close() throws IOException {}

    /** A stream of the process, which stays open. */
    static LineSink stream(OutputStream stream) {
        return lines -> {
            stream.write(lines.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        };
    }

    /** The standard output of a command. */
    static LineSink standard(PrintWriter out) {
        if (out instanceof StandardOutput standard) {
            return stream(standard.stream());
        }
        return lines -> {
            out.write(lines);
            if (out.checkError()) {
                throw new IOException("cannot write");
            }
        };
    }
}

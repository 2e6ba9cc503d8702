package dev.wishdir.app.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The target of an {@link AsyncLineWriter}: a file, a pipe or a standard stream. */
public interface LineSink {
    /**
     * Writes whole lines, and returns when the operating system has them. May block.
     *
     * @throws IOException if not all lines were written; a file then contains none of them
     */
    void write(String lines) throws IOException;

    /** Reopens a file by its name, which may be a new file after a rotation; streams stay open. */
    default void reopen() throws IOException {}

    /** Closes a file; standard streams stay open. */
    default void close() throws IOException {}

    /** A sink for a stream that stays open. */
    static LineSink stream(OutputStream stream) {
        return lines -> {
            stream.write(lines.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        };
    }

    /** A sink for the standard output of a command. */
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

package dev.wishdir.app.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Standard error of the process. The log and the output of commands share one queue, so that a slow
 * reader blocks no thread.
 */
public final class StandardError {
    /** Reports lost lines on the stream itself, once it is read again. */
    private static final AsyncLineWriter.Listener LISTENER =
            new AsyncLineWriter.Listener() {
                @Override
                public void onFailure(IOException why) {
                    // A message could not be read either.
                }

                @Override
                public void onResumed(long lost) {
                    LostLines.report(lost);
                }
            };

    /** The queue of all output to standard error. */
    public static final AsyncLineWriter QUEUE =
            new AsyncLineWriter(
                    LineSink.stream(new FileOutputStream(FileDescriptor.err)), LISTENER);

    private StandardError() {}

    /** A writer that adds its text to the queue at each flush. */
    public static PrintWriter writer() {
        return new PrintWriter(
                new Writer() {
                    private final StringBuilder text = new StringBuilder();

                    @Override
                    public void write(char[] chars, int offset, int length) {
                        synchronized (lock) {
                            text.append(chars, offset, length);
                        }
                    }

                    @Override
                    public void flush() {
                        synchronized (lock) {
                            if (!text.isEmpty()) {
                                QUEUE.offer(text.toString(), true);
                                text.setLength(0);
                            }
                        }
                    }

                    @Override
                    public void close() {
                        flush();
                    }
                });
    }
}

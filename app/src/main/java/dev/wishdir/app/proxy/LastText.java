package dev.wishdir.app.proxy;

import java.io.StringWriter;

/** Keeps at least the last {@value #MIN_CHARS} characters of what is written. */
final class LastText extends StringWriter {
    private static final int MIN_CHARS = 4096;

    @Override
    public void write(String text, int offset, int length) {
        super.write(text, offset, length);
        StringBuffer all = getBuffer();
        if (all.length() > 2 * MIN_CHARS) {
            all.delete(0, all.length() - MIN_CHARS);
        }
    }
}

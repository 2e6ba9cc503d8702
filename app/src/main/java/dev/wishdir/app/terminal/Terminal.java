package dev.wishdir.app.terminal;

/** The terminal of a command, if there is one. */
public interface Terminal {
    /**
     * The size of a terminal in characters.
     *
     * @param columns at least 1
     * @param rows at least 1
     */
    record Size(int columns, int rows) {
        /** The size to assume if it is unknown. */
        static final Size DEFAULT = new Size(80, 24);
    }

    /** No terminal: the output goes to files or programs. */
    Terminal NONE =
            new Terminal() {
                @Override
                public boolean showsOutput() {
                    return false;
                }

                @Override
                public boolean showsErrors() {
                    return false;
                }

                @Override
                public Size size() {
                    return Size.DEFAULT;
                }
            };

    /** Whether standard output goes to the terminal. */
    boolean showsOutput();

    /** Whether standard error goes to the terminal. */
    boolean showsErrors();

    /** Whether the terminal has colours and its user wants them. */
    default boolean hasColours() {
        return false;
    }

    /** The current size, which may change; not older than a second. */
    Size size();
}

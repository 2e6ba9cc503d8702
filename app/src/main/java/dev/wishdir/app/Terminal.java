package dev.wishdir.app;

/** The terminal that a command may have been typed on. */
interface Terminal {
    /**
     * How many characters fit.
     *
     * @param columns at least 1
     * @param rows at least 1
     */
    record Size(int columns, int rows) {
        /** What a terminal has that does not tell. */
        static final Size USUAL = new Size(80, 24);
    }

    /** None: what is printed goes to files or programs. */
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
                    return Size.USUAL;
                }
            };

    /** Whether standard output goes to it. */
    boolean showsOutput();

    /** Whether standard error goes to it. */
    boolean showsErrors();

    /** Whether it shows colours, and its user wants them. */
    default boolean hasColours() {
        return false;
    }

    /** How large it was within the last second: ask again, as it may be resized. */
    Size size();
}

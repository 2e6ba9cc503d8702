package dev.wishdir.app.replay;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The user's browser. */
final class Browser {
    private Browser() {}

    /** The command that opens an address in the browser of a system, by its name in Java. */
    static List<String> command(String system, String url) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return List.of("rundll32", "url.dll,FileProtocolHandler", url);
        }
        return List.of(name.startsWith("mac") ? "open" : "xdg-open", url);
    }

    /**
     * Opens an address.
     *
     * @throws IOException if the system has no command for that
     */
    static void open(String url) throws IOException {
        new ProcessBuilder(command(System.getProperty("os.name", ""), url))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}

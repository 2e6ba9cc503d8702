package dev.wishdir.web;

import io.javalin.config.RoutesConfig;

import java.util.List;
import java.util.Locale;

/** The style sheet {@code games.css} of all pages: the names of the games, and their colours. */
public final class GameColours implements Page {
    /**
     * The colours of a game's players, each {@code 0xRRGGBB}.
     *
     * @param game its name, which is an identifier of CSS
     * @param dark of text in the dark theme
     * @param light of text in the light theme
     * @param body of a body, in both
     */
    public record Colours(String game, int dark, int light, int body) {}

    private final List<Colours> games;

    public GameColours(List<Colours> games) {
        this.games = List.copyOf(games);
    }

    /** The style sheet. */
    String css() {
        StringBuilder css = new StringBuilder(":root { --games:");
        games.forEach(game -> css.append(' ').append(game.game));
        css.append("; }\n");
        for (Colours each : games) {
            css.append(
                    String.format(
                            Locale.ROOT,
                            """
                            :root { --%1$s: #%2$06x; --body-%1$s: #%4$06x; }
                            :root.light { --%1$s: #%3$06x; }
                            .%1$s { color: var(--%1$s); }
                            """,
                            each.game,
                            each.dark,
                            each.light,
                            each.body));
        }
        return css.toString();
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.get("/games.css", context -> context.contentType("text/css").result(css()));
    }
}

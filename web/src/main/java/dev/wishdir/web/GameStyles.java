package dev.wishdir.web;

import com.google.gson.Gson;

import dev.wishdir.arena.event.DamageMeans;

import io.javalin.config.RoutesConfig;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The style sheet {@code games.css} of all pages: the names of the games, their colours, and the
 * names of their weapons.
 */
public final class GameStyles implements Page {
    /**
     * The looks of a game's players; colours are {@code 0xRRGGBB}.
     *
     * @param game its name, which is an identifier of CSS
     * @param dark of text in the dark theme
     * @param light of text in the light theme
     * @param body of a body, in both
     * @param weapons names, by means
     */
    public record Style(
            String game, int dark, int light, int body, Map<DamageMeans, String> weapons) {}

    private static final Gson GSON = new Gson();

    private final List<Style> games;

    public GameStyles(List<Style> games) {
        this.games = List.copyOf(games);
    }

    /** The style sheet. */
    String css() {
        StringBuilder css = new StringBuilder(":root { --games:");
        games.forEach(game -> css.append(' ').append(game.game));
        css.append("; }\n");
        for (Style each : games) {
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
            each.weapons.forEach((means, weapon) -> {
                // A string of JSON is one of CSS, but for escapes that no name needs.
                String name = "--" + each.game + "-" + means;
                css.append(":root { " + name + ": " + GSON.toJson(weapon) + "; }\n");
            });
        }
        return css.toString();
    }

    @Override
    public void add(RoutesConfig routes) {
        routes.get("/games.css", context -> context.contentType("text/css").result(css()));
    }
}

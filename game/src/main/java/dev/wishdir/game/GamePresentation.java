package dev.wishdir.game;

import dev.wishdir.arena.event.DamageMeans;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The names, colours and sentences by which people know a game. */
public interface GamePresentation {
    /**
     * The colours of a game's players, each {@code 0xRRGGBB}.
     *
     * @param dark of text on a dark page
     * @param light of text on a light page
     * @param body of a body on the map
     */
    record Colours(int dark, int light, int body) {
        /** Colours of one hue, which the hash of a game's name selects. */
        public static Colours of(String name) {
            float hue = Math.floorMod(name.hashCode(), 360) / 360f;
            return new Colours(rgb(hue, 0.5f, 1), rgb(hue, 1, 0.55f), rgb(hue, 0.75f, 0.95f));
        }

        /** A colour of the cylinder of hue, saturation and value, each from 0 to 1. */
        private static int rgb(float hue, float saturation, float value) {
            int rgb = 0;
            for (int shift : new int[] {5, 3, 1}) {
                float at = (shift + hue * 6) % 6;
                float part = Math.clamp(Math.min(at, 4 - at), 0, 1);
                rgb = rgb << 8 | Math.round(255 * value * (1 - saturation * part));
            }
            return rgb;
        }
    }

    /** Identifier in commands, events and captures: {@code sauerbraten}. */
    String name();

    /** Name as players know it: {@code Cube 2: Sauerbraten}. */
    String title();

    /**
     * Instruction for a player to join a server, as one line for people.
     *
     * @param host name or address as the player types it
     */
    default String joinInstruction(String host, int port) {
        return "connect to " + host + " port " + port;
    }

    /** The colours of its players; of one hue by default. */
    default Colours colours() {
        return Colours.of(name());
    }

    /** Its players' names of its weapons. One that is missing is called by its means. */
    default Map<DamageMeans, String> weaponNames() {
        return Map.of();
    }

    /**
     * The factor of the damage that its weapons do to players, so that bots of the same skill take
     * about the same time to kill each other in all pairs of games; docs/match.md#damage describes
     * how that is measured.
     */
    default double damageFactor() {
        return 1;
    }

    /** Description of a headless client that only watches, and of its view: part of a sentence. */
    default String watcher() {
        return "a silent player";
    }

    /** The versions for {@link Game#ofVersion}, oldest first; none by default. */
    default List<String> versions() {
        return List.of();
    }

    /**
     * Advice to an operator whose server refused a headless client.
     *
     * @param reason of the server, in lower case
     * @return part of a sentence; empty if the game knows none
     */
    default Optional<String> refusalAdvice(String reason) {
        return Optional.empty();
    }
}

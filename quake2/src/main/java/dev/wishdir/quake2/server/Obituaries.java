package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.quake2.message.ServerMessage.Print;

/** The lines about deaths, in the words of the game where it has the weapon. */
final class Obituaries {
    private Obituaries() {}

    /** The line about a death. */
    static Print line(ArenaEvent.Died died) {
        String victim = PlayerSlots.name(died.player());
        String killer = PlayerSlots.name(died.killer());
        boolean itself = died.killer().id().equals(died.id());
        String text =
                switch (died.means()) {
                    case SUICIDE -> victim + " killed himself.";
                    case ROCKET ->
                            itself
                                    ? victim + " blew himself up."
                                    : victim + " ate " + killer + "'s rocket";
                    case GRENADE ->
                            itself
                                    ? victim + " tripped on his own grenade."
                                    : victim + " was popped by " + killer + "'s grenade";
                    default ->
                            itself
                                    ? victim + " killed himself."
                                    : victim + verb(died) + " by " + killer;
                };
        return new Print(Print.MEDIUM, text + "\n");
    }

    private static String verb(ArenaEvent.Died died) {
        return switch (died.means()) {
            case PISTOL -> " was blasted";
            case SHOTGUN -> " was gunned down";
            case MACHINE_GUN -> " was machinegunned";
            case RIFLE -> " was railed";
            default -> " was killed";
        };
    }
}

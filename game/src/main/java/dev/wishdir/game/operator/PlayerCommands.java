package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.flag.Flags;

/** The commands for players. */
final class PlayerCommands {
    private PlayerCommands() {}

    static final class StatusCommand extends OperatorCommand {
        StatusCommand() {
            super("status", "", "list the players: number, ping, game, address, name");
        }

        @Override
        String execute(Context context) {
            StringBuilder status = new StringBuilder(context.console().selector.status());
            context.console()
                    .statusLines(context.now())
                    .forEach(line -> status.append('\n').append(line));
            Flags flags = context.arena().match().flags();
            return status + (flags.all().isEmpty() ? "" : "\n" + flags.text(context.now()));
        }
    }

    static final class SayCommand extends OperatorCommand {
        SayCommand() {
            super("say", "TEXT", "send a message to all players");
        }

        @Override
        String execute(Context context) {
            String text = context.reader().text();
            if (text.isEmpty()) {
                return description();
            }
            context.console().otherServers().announce(context.now(), text);
            context.report("said: " + text);
            return "Sent to all: " + text;
        }
    }

    static final class KickCommand extends OperatorCommand {
        KickCommand() {
            super("kick", "PLAYER [REASON]", "kick a player");
        }

        @Override
        String execute(Context context) {
            return context.select(player ->
                    context.console()
                            .kick(context.now(), context.by(), player, context.reader().text()));
        }
    }

    static final class NameCommand extends OperatorCommand {
        NameCommand() {
            super("name", "PLAYER NAME", "rename a player");
        }

        @Override
        String execute(Context context) {
            return context.select(player -> rename(context, player));
        }

        private String rename(Context context, Player player) {
            String requested = context.reader().text();
            if (requested.isEmpty()) {
                return description();
            }
            if (player.id().isOfOtherServer()) {
                return player.name() + " is a player of another server: rename it there.";
            }
            Arena arena = context.arena();
            arena.player(player.id()).ifPresent(it -> it.forceRename(context.now(), requested));
            String name = arena.find(player.id()).map(Player::name).orElse(requested);
            String answer = player.name() + " is called " + name + " now.";
            context.report("renamed " + player + " to " + name);
            arena.announce(context.now(), answer);
            return answer;
        }
    }
}

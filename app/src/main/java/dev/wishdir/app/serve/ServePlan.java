package dev.wishdir.app.serve;

import dev.wishdir.app.cluster.ClusterOptions;
import dev.wishdir.app.cluster.ClusterSettings;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.game.Game;

import picocli.CommandLine;

import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server would open.
 *
 * @param games in their order
 * @param web the address of its pages; empty if off
 * @param cluster the other servers of its arena; empty if there are none
 * @param problems of its settings, a line each
 */
public record ServePlan(
        List<ServedGame> games,
        Optional<InetSocketAddress> web,
        Optional<ClusterSettings> cluster,
        List<String> problems) {
    /** A game with its address and options. */
    public record ServedGame(Game game, InetSocketAddress address, Map<String, String> options) {}

    /** The part of a plan that is known before a setting is wrong. */
    static final class Builder {
        private List<ServedGame> games = List.of();
        private Optional<InetSocketAddress> web = Optional.empty();
        private Optional<ClusterSettings> cluster = Optional.empty();

        void setGames(List<Server.Part> parts) {
            games =
                    parts.stream()
                            .map(it -> new ServedGame(it.game(), it.address(), it.options()))
                            .toList();
        }

        /** Sets what can't be known while a setting is wrong. */
        void setOthers(WebOptions pages, ClusterOptions nodes) throws CommandFailedException {
            web = pages.address();
            cluster = nodes.settings();
        }

        private ServePlan build(List<String> problems) {
            return new ServePlan(games, web, cluster, problems);
        }
    }

    /** The plan of a server with these arguments, among them a configuration file. */
    public static ServePlan of(List<Game> games, String... arguments) {
        CommandLine line =
                ServeCommand.commandLine(
                        games, new ShutdownSignal(), InputStream.nullInputStream());
        line.parseArgs(arguments);
        Builder builder = new Builder();
        try {
            line.<ServeCommand>getCommand().addTo(builder);
            return builder.build(List.of());
        } catch (CommandLine.ParameterException | CommandFailedException e) {
            return builder.build(String.valueOf(e.getMessage()).lines().toList());
        }
    }
}

package dev.wishdir.sauerbraten.server.match;

import dev.wishdir.game.level.SharedArena;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.sauerbraten.combat.GameMode;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.combat.MapItems;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.MapVote;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.util.List;
import java.util.regex.Pattern;

/** Handles votes for another map and mode, and what clients report of the current map. */
public final class MatchHandler {
    /** Names that cannot lead out of the folder of maps. */
    private static final Pattern MAP_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");

    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final SauerbratenMatch match;
    private final SauerbratenMaps maps;
    private final MapItems items;
    private final LifeHandler lives;
    private final Privileges privileges;

    /** Changes of the map: each makes all clients load it and spawn again. */
    private final TokenBucket changes = new TokenBucket(6, 0.1);

    public MatchHandler(
            ClientTable clients,
            Broadcaster broadcaster,
            SauerbratenMatch match,
            SauerbratenMaps maps,
            MapItems items,
            LifeHandler lives,
            Privileges privileges) {
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.match = match;
        this.maps = maps;
        this.items = items;
        this.lives = lives;
        this.privileges = privileges;
    }

    public void handle(long now, SauerbratenSession from, MatchMessage message) {
        switch (message) {
            case MatchMessage.MapVote vote -> vote(now, from, vote);
            case MatchMessage.MapCrc crc -> {
                boolean fetched = maps.onMapLoaded(now, from, crc, match.isShared());
                lives.onMapLoaded(now, from, fetched);
            }
            case MatchMessage.CheckMaps _ -> maps.compare(now, from);
            case MatchMessage.ForceIntermission _ -> {}
            default -> from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    public void handle(long now, SauerbratenSession from, ItemMessage message) {
        items.handle(now, from, message);
    }

    private void vote(long now, SauerbratenSession from, MatchMessage.MapVote vote) {
        String name = CubeText.map(vote.map());
        int number = vote.mode();
        GameMode mode = new GameMode(number);
        if (from.life.isSpectator() && !from.isMaster()) {
            return;
        }
        if (from.isAdmin() && match.controlsShared(name)) {
            from.sendText(now, match.changeShared(now, name));
            return;
        }
        if (match.isOfArena()) {
            from.sendText(now, "The match decides what is played. Only the operator changes it.");
            return;
        }
        if (match.isShared()) {
            from.sendText(now, SharedArena.REFUSAL);
            return;
        }
        if (!mode.supported()) {
            from.sendText(
                    now,
                    mode.known()
                            ? "This server does not support held flags, bases or tokens. Choose a"
                                    + " mode from 0 to 8."
                            : "There is no mode " + number + ".");
            return;
        }
        if (mode.hasFlags()) {
            from.sendText(now, "Flags are captured only in a match, which the operator starts.");
            return;
        }
        if (!name.isEmpty() && !MAP_NAME.matcher(name).matches()) {
            from.sendText(
                    now, "'" + name + "' is not a map name: use 1 to 64 letters, digits and _ - .");
            return;
        }
        MapVote choice = new MapVote(name, mode);
        from.player().change(now, "vote", time -> count(time, from, choice));
    }

    /** Counts a vote; the texts are those of the original server. */
    private void count(long now, SauerbratenSession from, MapVote choice) {
        boolean forced = privileges.isVoteForced(from);
        from.setVote(choice);
        if (!forced) {
            broadcaster.sendText(from.name() + " suggests " + choice + " (select map to vote)");
            List<SauerbratenSession> voters =
                    clients.joined().stream().filter(voter -> !voter.life.isSpectator()).toList();
            long votes =
                    voters.stream()
                            .filter(voter -> voter.vote().filter(choice::equals).isPresent())
                            .count();
            if (votes * 2 <= voters.size()) {
                return;
            }
        }
        if (!changes.tryAcquire(now)) {
            from.sendText(now, "The map changed too often. Vote again in 10 seconds.");
            return;
        }
        broadcaster.sendText(
                forced ? from.name() + " forced " + choice : "vote passed by majority");
        match.change(now, choice.map(), choice.mode());
    }
}

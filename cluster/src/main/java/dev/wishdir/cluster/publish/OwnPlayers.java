package dev.wishdir.cluster.publish;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagReport;
import dev.wishdir.cluster.agreement.BanAgreement;
import dev.wishdir.cluster.agreement.LevelAgreement;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.Subjects;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Credit;
import dev.wishdir.cluster.v1.Farewell;
import dev.wishdir.cluster.v1.Fights;
import dev.wishdir.cluster.v1.GamePort;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.cluster.v1.Kick;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.PlayerOrder;
import dev.wishdir.cluster.v1.ReadyLevels;
import dev.wishdir.cluster.v1.Roster;
import dev.wishdir.cluster.v1.RosterRequest;
import dev.wishdir.cluster.v1.Standing;
import dev.wishdir.cluster.v1.Unban;
import dev.wishdir.cluster.v1.Whisper;
import dev.wishdir.record.message.MessageEncoder;
import dev.wishdir.record.message.MoveBatch;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.v1.Announcement;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Snapshot;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;

/**
 * Publication of the own players' actions: their movements in batches, all else at once and
 * numbered. Only the newest movement of a player goes into a batch; one without a change goes again
 * five times a second, so that a lost message does no lasting harm.
 */
public final class OwnPlayers implements ArenaListener {
    private static final long REFRESH_INTERVAL_NANOS = 200_000_000;

    private static final class OwnPlayer {
        final PlayerId globalId;
        Player newest;
        Player published;
        long publishedAt;
        boolean waits;

        OwnPlayer(int node, Player player) {
            globalId = new PlayerId(node, player.id().number());
            newest = player;
            published = player;
            publishedAt = Long.MIN_VALUE;
        }

        boolean isChanged() {
            return !newest.movement().equals(published.movement())
                    || !newest.nativeMovement().looksLike(published.nativeMovement());
        }
    }

    private final Arena arena;
    private final Bus bus;
    private final Subjects subjects;
    private final int node;
    private final long epoch;
    private final MessageEncoder messages;
    private final Map<Integer, OwnPlayer> players = new HashMap<>();
    private final List<OwnPlayer> movers = new ArrayList<>();
    private final MoveBatch batch = new MoveBatch();
    private final OwnFights fights;
    private final Map<String, Integer> forms = new LinkedHashMap<>();
    private long events;
    private long batches;
    private boolean isRoundDue;

    /**
     * @param epoch of this run
     * @param epochs the run of another node that is heard
     */
    public OwnPlayers(
            Arena arena,
            Bus bus,
            Subjects subjects,
            int node,
            long epoch,
            IntFunction<OptionalLong> epochs) {
        this.arena = arena;
        this.bus = bus;
        this.subjects = subjects;
        this.node = node;
        this.epoch = epoch;
        messages = new MessageEncoder(RecordingOptions.DEFAULT, node, 0, this::form);
        fights =
                new OwnFights(
                        messages,
                        epochs,
                        bus::nanos,
                        arena.match().shared()::maxFragsOfHit,
                        hit -> publish(builder().setHit(hit)));
        arena.players().stream()
                .filter(player -> player.id().node() == 0)
                .forEach(player -> players.put(player.id().number(), new OwnPlayer(node, player)));
    }

    public int node() {
        return node;
    }

    public long epoch() {
        return epoch;
    }

    /** Fights between them and the players of other nodes. */
    public OwnFights fights() {
        return fights;
    }

    /** Whether a player took an item, finished a run or changed a flag since the last call. */
    public boolean takeRoundDue() {
        boolean was = isRoundDue;
        isRoundDue = false;
        return was;
    }

    /** Whether movements wait to be published. */
    public boolean isBatchDue() {
        return !movers.isEmpty();
    }

    private int form(String form) {
        Integer known = forms.get(form);
        if (known != null) {
            return known;
        }
        if (forms.size() >= MessageReader.MAX_FORMS) {
            return 0;
        }
        forms.put(form, forms.size() + 1);
        return forms.size();
    }

    @Override
    public void onEvent(ArenaEvent event) {
        isRoundDue |= event instanceof ArenaEvent.FlagChanged;
        if (!(event instanceof ArenaEvent.OfPlayer ofPlayer)) {
            return;
        }
        if (ofPlayer.id().node() != 0) {
            forward(ofPlayer);
            return;
        }
        OwnPlayer known = players.get(ofPlayer.id().number());
        if (known != null) {
            // A movement that waits must not follow the event of a newer one.
            known.newest = ofPlayer.player();
        }
        switch (ofPlayer) {
            case ArenaEvent.Moved _ -> onMoved(known);
            case ArenaEvent.Joined joined -> {
                players.put(joined.id().number(), new OwnPlayer(node, joined.player()));
                publish(event);
            }
            case ArenaEvent.Left left -> {
                OwnPlayer player = players.remove(left.id().number());
                if (player != null) {
                    movers.remove(player);
                }
                publish(event);
            }
            case ArenaEvent.Died died -> {
                Credit credit = fights.credit(died.killer().id());
                messages.event(died)
                        .ifPresent(message -> {
                            NumberedEvent.Builder death = builder().setEvent(message);
                            publish(credit == null ? death : death.setCredit(credit));
                        });
            }
            case ArenaEvent.ItemTaken _, ArenaEvent.RunFinished _ -> isRoundDue = true;
            case ArenaEvent.Scored _ when arena.match().isRace() -> {
                // Each node counts the points of all from their times.
            }
            case ArenaEvent.Hit _,
                    ArenaEvent.Scored _,
                    ArenaEvent.TeamChanged _,
                    ArenaEvent.Spawned _,
                    ArenaEvent.Despawned _,
                    ArenaEvent.Teleported _,
                    ArenaEvent.ActionPerformed _,
                    ArenaEvent.Chat _,
                    ArenaEvent.Renamed _,
                    ArenaEvent.AppearanceChanged _ ->
                    publish(event);
            default -> {
                // It concerns this server only.
            }
        }
    }

    private void onMoved(@Nullable OwnPlayer player) {
        if (player == null) {
            return;
        }
        boolean refresh =
                player.publishedAt == Long.MIN_VALUE
                        || bus.nanos() - player.publishedAt >= REFRESH_INTERVAL_NANOS;
        if (!player.waits && (refresh || player.isChanged())) {
            player.waits = true;
            movers.add(player);
        }
    }

    /** Sends an event that only the node of a mirrored player can carry out to it. */
    private void forward(ArenaEvent.OfPlayer event) {
        PlayerId to = event.id();
        if (to.isGhost()) {
            return;
        }
        PlayerOrder.Builder order =
                PlayerOrder.newBuilder().setHeader(header()).setPlayer(to.number());
        switch (event) {
            case ArenaEvent.Whisper whisper when whisper.from().id().node() == 0 ->
                    order.setWhisper(
                            Whisper.newBuilder()
                                    .setFrom(whisper.from().id().number())
                                    .setText(whisper.text()));
            case ArenaEvent.KickRequested kick ->
                    order.setKick(
                            Kick.newBuilder()
                                    .setReason(kick.reason().code().toString())
                                    .setText(kick.reason().text()));
            default -> {
                return;
            }
        }
        bus.publish(
                subjects.toNode(Subjects.Kind.TELL, to.node(), node), order.build().toByteArray());
    }

    private Header.Builder header() {
        return Header.newBuilder()
                .setMajor(MessageReader.MAJOR_VERSION)
                .setNode(node)
                .setEpoch(epoch)
                .setEvent(events)
                .setSentNs(bus.nanos());
    }

    private void publish(ArenaEvent event) {
        messages.event(event).ifPresent(message -> publish(builder().setEvent(message)));
    }

    private NumberedEvent.Builder builder() {
        events++;
        return NumberedEvent.newBuilder();
    }

    /** Publishes an event with the newest number. */
    private void publish(NumberedEvent.Builder event) {
        event.setHeader(header()).addAllForms(forms.keySet());
        bus.publish(subjects.toAll(Subjects.Kind.EVENT, node), event.build().toByteArray());
    }

    /** Publishes what a player does with a flag, for the node that decides about it. */
    public void report(FlagReport report) {
        publish(
                builder()
                        .setFlag(
                                dev.wishdir.cluster.v1.FlagReport.newBuilder()
                                        .setPlayer(report.player().map(PlayerId::number).orElse(0))
                                        .setFlag(report.flag().toString())
                                        .setVersion(report.version())
                                        .setPlace(MessageEncoder.vector(report.place()))
                                        .setMadeNs(bus.nanos())
                                        .setLoss(
                                                report.loss()
                                                        .map(FlagCause::toString)
                                                        .orElse(""))));
    }

    public void announce(String text) {
        publish(
                builder()
                        .setEvent(
                                Event.newBuilder()
                                        .setAnnouncement(Announcement.newBuilder().setText(text))));
    }

    public void ban(NodeBan ban) {
        publish(builder().setBan(BanAgreement.message(ban)));
    }

    public void unban(String target, String game) {
        publish(builder().setUnban(Unban.newBuilder().setTarget(target).setGame(game)));
    }

    /** Has the node of a mirrored player ban it. */
    public void ban(PlayerId player, NodeBan ban) {
        PlayerOrder order =
                PlayerOrder.newBuilder()
                        .setHeader(header())
                        .setPlayer(player.number())
                        .setBan(BanAgreement.message(ban))
                        .build();
        bus.publish(subjects.toNode(Subjects.Kind.TELL, player.node(), node), order.toByteArray());
    }

    public void sayFarewell() {
        publish(builder().setFarewell(Farewell.getDefaultInstance()));
    }

    /** Publishes the waiting movements, or a heartbeat without any. */
    public void publishBatch(LevelAgreement levels, @Nullable PlayedRound round) {
        long now = bus.nanos();
        for (OwnPlayer player : movers) {
            player.waits = false;
            Player newest = player.newest;
            if (!batch.fits(now)) {
                publishBatch(levels, round, now);
            }
            Bytes bytes = messages.bytes(newest.nativeMovement());
            int form = bytes.length() == 0 ? 0 : form(newest.nativeMovement().form());
            batch.add(now, player.globalId, newest.movement(), form, bytes);
            player.published = newest;
            player.publishedAt = now;
        }
        movers.clear();
        publishBatch(levels, round, now);
    }

    private void publishBatch(LevelAgreement levels, @Nullable PlayedRound round, long now) {
        Batch.Builder message =
                Batch.newBuilder()
                        .setHeader(header().setSentNs(now).setBatch(++batches))
                        .setLevel(levels.played())
                        .setNextLevel(levels.next())
                        .setReady(ReadyLevels.newBuilder().addAllNames(levels.ready()))
                        .setPlayers(players.size())
                        .setMaxPlayers(arena.capacity())
                        .addAllForms(batch.isEmpty() ? List.of() : forms.keySet());
        if (round != null) {
            message.setRound(round);
        }
        if (arena.match().isOn()) {
            players.keySet().stream().filter(this::isWatching).forEach(message::addWatchers);
        }
        byte[] head = message.build().toByteArray();
        bus.publish(subjects.toAll(Subjects.Kind.MOVE, node), withMoves(head));
        batch.clear();
    }

    private boolean isWatching(int player) {
        return arena.player(new PlayerId(0, player))
                .filter(it -> it.combatant().isWatching())
                .isPresent();
    }

    /** The message with the field of movements, which are encoded already. */
    private byte[] withMoves(byte[] head) {
        int length = batch.length();
        if (length == 0) {
            return head;
        }
        byte[] data =
                new byte
                        [head.length
                                + CodedOutputStream.computeTagSize(Batch.MOVES_FIELD_NUMBER)
                                + CodedOutputStream.computeUInt32SizeNoTag(length)
                                + length];
        CodedOutputStream out = CodedOutputStream.newInstance(data);
        try {
            out.writeRawBytes(head);
            out.writeTag(Batch.MOVES_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(length);
            out.writeRawBytes(batch.bytes(), 0, length);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException("a batch is longer than computed", e);
        }
        return data;
    }

    /** Asks a node for its roster. */
    public void ask(int other) {
        bus.publish(
                subjects.toNode(Subjects.Kind.ASK, other, node),
                subjects.toNode(Subjects.Kind.ANSWER, node, other),
                RosterRequest.newBuilder().setHeader(header()).build().toByteArray());
    }

    /** Answers a node with all own players. */
    public void answer(int other, PlayedLevel level, NodeSettings settings, long clockMillis) {
        Snapshot.Builder snapshot = Snapshot.newBuilder();
        for (Player player : arena.players()) {
            if (player.id().node() == 0) {
                snapshot.addPlayers(messages.player(player));
            }
        }
        snapshot.addAllForms(forms.keySet());
        Roster.Builder roster =
                Roster.newBuilder()
                        .setHeader(header())
                        .setSnapshot(snapshot)
                        .setFights(fights(other))
                        .setLevel(level)
                        .setClockMs(clockMillis)
                        .setVersion(settings.version())
                        .setHost(settings.host());
        settings.ports()
                .forEach((game, port) ->
                        roster.addPorts(GamePort.newBuilder().setGame(game).setPort(port)));
        bus.publish(
                subjects.toNode(Subjects.Kind.ANSWER, other, node), roster.build().toByteArray());
    }

    /** The match, as another node needs it. */
    private Fights.Builder fights(int other) {
        Fights.Builder message = Fights.newBuilder();
        for (int player : players.keySet()) {
            Score score =
                    arena.match().isRace()
                            ? Score.ZERO
                            : arena.match().score(new PlayerId(0, player));
            Optional<Team> team = arena.match().team(new PlayerId(0, player));
            if (!score.equals(Score.ZERO) || team.isPresent()) {
                message.addStandings(
                        Standing.newBuilder()
                                .setPlayer(player)
                                .setFrags(score.frags())
                                .setDeaths(score.deaths())
                                .setTeam(team.map(Team::toString).orElse("")));
            }
        }
        fights.addTo(message, other);
        return message;
    }
}

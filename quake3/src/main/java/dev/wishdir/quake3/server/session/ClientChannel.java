package dev.wishdir.quake3.server.session;

import dev.wishdir.net.loop.Duty;
import dev.wishdir.quake3.netchan.InfoString;

import java.util.Optional;

/**
 * The channel of one session: a transport and its senders of snapshots, gamestates and downloads,
 * which share its connection and rate.
 */
public final class ClientChannel {
    private final ClientTransport transport;
    private final SnapshotPacer snapshots;
    private final GamestateSender gamestates;
    private final DownloadSender downloads;

    /**
     * @param userinfo of the client's {@code connect}
     * @param downloadUrl for HTTP downloads; empty if the client downloads in band
     */
    public ClientChannel(
            ClientTransport transport, InfoString userinfo, Optional<String> downloadUrl) {
        this.transport = transport;
        FragmentSender fragments = new FragmentSender(transport);
        snapshots = new SnapshotPacer(transport, fragments);
        gamestates = new GamestateSender(transport, fragments, snapshots);
        downloads = new DownloadSender(transport, downloadUrl);
        adapt(userinfo);
    }

    public ClientTransport transport() {
        return transport;
    }

    SnapshotPacer snapshots() {
        return snapshots;
    }

    public GamestateSender gamestates() {
        return gamestates;
    }

    public DownloadSender downloads() {
        return downloads;
    }

    /**
     * Applies the settings {@code snaps} (snapshots a second) and {@code rate} (bytes a second).
     */
    void adapt(InfoString userinfo) {
        snapshots.setSnaps(userinfo.number("snaps", 20));
        transport.setRate(userinfo.number("rate", 25_000));
    }

    /**
     * Begins a level: drops the state of the previous one; a gamestate may follow at once.
     *
     * @param clockSetBack by how much its clock is behind that of the previous level, milliseconds
     */
    void beginLevel(long now, int clockSetBack) {
        gamestates.reset(now, clockSetBack);
        downloads.stop();
        snapshots.schedule(now);
    }

    /** Ends the session: from now on only these reliable commands are sent. */
    void end(long now, String... commands) {
        downloads.stop();
        gamestates.setPending(false);
        snapshots.schedule(now);
        transport.lastCommands(commands);
    }

    /**
     * Time of the next snapshot; never during a download.
     *
     * @param serverTime milliseconds
     * @param maxPerSecond snapshots a second that the server has for each client
     */
    long snapshotDue(long now, int serverTime, int maxPerSecond) {
        return downloads.isActive() ? Duty.NEVER : snapshots.due(now, serverTime, maxPerSecond);
    }
}

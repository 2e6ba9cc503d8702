package dev.wishdir.game;

import java.util.ArrayList;
import java.util.List;

/** Records a client's events, one text each. */
public final class RecordingClientListener implements ClientListener {
    public final List<String> events = new ArrayList<>();
    public final List<Client.RemotePlayer> moves = new ArrayList<>();

    @Override
    public void onJoined(Client self) {
        events.add("joined");
    }

    @Override
    public void onAppeared(Client self, Client.RemotePlayer other) {
        events.add("appeared " + other.name());
    }

    @Override
    public void onMoved(Client self, long now, Client.RemotePlayer other) {
        moves.add(other);
    }

    @Override
    public void onVanished(Client self, Client.RemotePlayer other) {
        events.add("vanished " + other.name());
    }

    @Override
    public void onChat(Client self, String name, String text) {
        events.add(name + ": " + text);
    }

    @Override
    public void onEnded(Client self, Ending ending, String reason) {
        events.add(ending + " " + reason);
    }
}

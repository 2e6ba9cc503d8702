package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.match.Match;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The player starts of a team in an arena with flags. In coop edit clients choose among all starts
 * of their copy of the map, so each gets a copy with those of its team only.
 */
public final class TeamStarts {
    private final Match match;
    private final CurrentMatch current;
    private final RunningLevel geometry;

    public TeamStarts(Match match, CurrentMatch current, RunningLevel geometry) {
        this.match = match;
        this.current = current;
        this.geometry = geometry;
    }

    /** The edits of the client's map that leave the starts of its team. */
    List<SauerbratenMessage> of(SauerbratenSession to) {
        Level level = geometry.level();
        if (!current.mode().coopEdit() || match.flags().all().isEmpty()) {
            return List.of();
        }
        List<Movement> spawns = level.spawns();
        Set<Integer> allowed =
                new HashSet<>(
                        match.flags()
                                .spawnsOf(
                                        match.team(to.player().id()),
                                        level,
                                        spawns.stream().map(Movement::position).toList()));
        List<SauerbratenMessage> edits = new ArrayList<>();
        for (int i = 0; i < spawns.size(); i++) {
            Movement spawn = spawns.get(i);
            edits.add(
                    PlayerAppearance.from(
                            to.cn,
                            allowed.contains(i) ? start(i, spawn) : EditMessage.EditEnt.none(i)));
        }
        return edits;
    }

    /** A start as the generated map has it. */
    private EditMessage.EditEnt start(int number, Movement spawn) {
        Vec3 height = new Vec3(0, 0, Ogz.Entity.PLAYER_START_HEIGHT);
        Point at = Point.of(geometry.motion().toNative(spawn.position()).plus(height));
        int yaw = (int) Math.round(SauerbratenMotion.yaw(spawn.yaw()));
        return new EditMessage.EditEnt(
                number, at.x(), at.y(), at.z(), Ogz.Entity.PLAYERSTART, yaw, 0, 0, 0, 0);
    }
}

package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.bedrock.server.chat.CommandHandler;
import dev.wishdir.bedrock.server.join.AdmissionControl;
import dev.wishdir.bedrock.server.join.BedrockOptions;
import dev.wishdir.bedrock.server.join.LoginSequence;
import dev.wishdir.bedrock.server.join.LoginVerifier;
import dev.wishdir.bedrock.server.join.ServerInfo;
import dev.wishdir.bedrock.server.join.SpawnSequence;
import dev.wishdir.bedrock.server.movement.MovementHandler;
import dev.wishdir.bedrock.server.session.BedrockSession;
import dev.wishdir.bedrock.server.session.BedrockViewer;
import dev.wishdir.bedrock.server.session.JoinedClient;
import dev.wishdir.bedrock.server.session.MessageHandler;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.nethernet.identity.IssuerKeyCache;

import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** What the sessions of an endpoint need to handle their clients, from the login to the game. */
final class Handlers {
    final LoginVerifier verifier;
    final BedrockSession.Services sessions;

    /**
     * @param clock by which the tokens of logins are valid
     * @param isArenaShared whether other games play the same arena
     */
    Handlers(
            Shared shared,
            Combat combat,
            BedrockOptions options,
            IssuerKeyCache issuerKeys,
            InstantSource clock,
            long now,
            BooleanSupplier isArenaShared) {
        EndpointContext context = shared.context;
        verifier =
                new LoginVerifier(
                        context.cycle(),
                        options.trust(),
                        issuerKeys,
                        LoginKeys.generate(context.random()),
                        clock,
                        context.random());
        AdmissionControl admission =
                new AdmissionControl(context, context.maxPlayers(), shared.identities::clientCount);
        sessions =
                new BedrockSession.Services(
                        admission,
                        new LoginSequence.Services(
                                verifier,
                                options.algorithm(),
                                options.encrypts(),
                                key -> context.keys().accept(key.line())),
                        new SpawnSequence.Services(
                                admission,
                                shared.world,
                                now,
                                ServerInfo.shown(context.name()),
                                options.authority(),
                                shared.arena.match()::isOn,
                                () -> !context.password().isEmpty(),
                                context::isPassword,
                                context.addressLimits()),
                        joined(shared, combat, options, isArenaShared),
                        shared.drops,
                        context.cycle()::now);
    }

    private static JoinedClient.Services joined(
            Shared shared, Combat combat, BedrockOptions options, BooleanSupplier isArenaShared) {
        EndpointContext context = shared.context;
        return new JoinedClient.Services(
                shared.arena,
                shared.world,
                shared.identities,
                shared.movementCache,
                new BedrockViewer.Services(
                        shared.arena,
                        shared.identities,
                        shared.heldItems,
                        shared.movementCache,
                        context.cycle()::now),
                new MovementHandler.Services(
                        shared.world,
                        options.authority(),
                        context.cycle()::sleptNanos,
                        shared.drops),
                new CommandHandler.Services(
                        shared.arena,
                        context.operatorConsole(),
                        !context.adminPassword().isEmpty(),
                        context::isAdminPassword,
                        context.addressLimits(),
                        isArenaShared),
                new MessageHandler.Services(combat::relaySwing, combat.services, shared.drops));
    }
}

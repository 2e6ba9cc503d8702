package dev.wishdir.bench;

import dev.onvoid.webrtc.CreateSessionDescriptionObserver;
import dev.onvoid.webrtc.PeerConnectionFactory;
import dev.onvoid.webrtc.PeerConnectionObserver;
import dev.onvoid.webrtc.RTCAnswerOptions;
import dev.onvoid.webrtc.RTCConfiguration;
import dev.onvoid.webrtc.RTCDataChannel;
import dev.onvoid.webrtc.RTCIceCandidate;
import dev.onvoid.webrtc.RTCIceGatheringState;
import dev.onvoid.webrtc.RTCOfferOptions;
import dev.onvoid.webrtc.RTCPeerConnection;
import dev.onvoid.webrtc.RTCSdpType;
import dev.onvoid.webrtc.RTCSessionDescription;
import dev.onvoid.webrtc.SetSessionDescriptionObserver;
import dev.onvoid.webrtc.media.audio.HeadlessAudioDeviceModule;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Google's WebRTC, on which the game is built, by way of webrtc-java; descriptions come whole. */
final class WebRtc {
    private static final PeerConnectionFactory FACTORY =
            new PeerConnectionFactory(new HeadlessAudioDeviceModule());

    private final CompletableFuture<@Nullable Void> gathered = new CompletableFuture<>();
    private final RTCPeerConnection connection;

    /**
     * @param channels is called with each that the other side opens
     */
    WebRtc(Consumer<RTCDataChannel> channels) {
        connection =
                FACTORY.createPeerConnection(
                        new RTCConfiguration(),
                        new PeerConnectionObserver() {
                            @Override
                            public void onIceCandidate(RTCIceCandidate candidate) {}

                            @Override
                            public void onIceGatheringChange(RTCIceGatheringState state) {
                                if (state == RTCIceGatheringState.COMPLETE) {
                                    gathered.complete(null);
                                }
                            }

                            @Override
                            public void onDataChannel(RTCDataChannel channel) {
                                channels.accept(channel);
                            }
                        });
    }

    RTCPeerConnection connection() {
        return connection;
    }

    String offer() throws Exception {
        Made made = new Made();
        connection.createOffer(new RTCOfferOptions(), made);
        return local(made);
    }

    String answer(String offer) throws Exception {
        remote(RTCSdpType.OFFER, offer);
        Made made = new Made();
        connection.createAnswer(new RTCAnswerOptions(), made);
        return local(made);
    }

    void remote(RTCSdpType type, String text) throws Exception {
        Set set = new Set();
        connection.setRemoteDescription(new RTCSessionDescription(type, text), set);
        set.done.get(10, TimeUnit.SECONDS);
    }

    private String local(Made made) throws Exception {
        Set set = new Set();
        connection.setLocalDescription(made.description.get(10, TimeUnit.SECONDS), set);
        set.done.get(10, TimeUnit.SECONDS);
        gathered.get(10, TimeUnit.SECONDS);
        return connection.getLocalDescription().sdp;
    }

    private static final class Made implements CreateSessionDescriptionObserver {
        final CompletableFuture<RTCSessionDescription> description = new CompletableFuture<>();

        @Override
        public void onSuccess(RTCSessionDescription made) {
            description.complete(made);
        }

        @Override
        public void onFailure(String error) {
            description.completeExceptionally(new IllegalStateException(error));
        }
    }

    private static final class Set implements SetSessionDescriptionObserver {
        final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

        @Override
        public void onSuccess() {
            done.complete(null);
        }

        @Override
        public void onFailure(String error) {
            done.completeExceptionally(new IllegalStateException(error));
        }
    }
}

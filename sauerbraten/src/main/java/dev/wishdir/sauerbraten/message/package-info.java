/**
 * The messages of Cube 2: Sauerbraten, one record per message, with the names of the protocol.
 *
 * <p>Most codes mean the same in both directions. Where they do not, the server's form has the
 * protocol's name and the client's form the prefix {@code Client}: {@code SetTeam} and {@code
 * ClientSetTeam} are both {@code N_SETTEAM}.
 */
@NullMarked
package dev.wishdir.sauerbraten.message;

import org.jspecify.annotations.NullMarked;

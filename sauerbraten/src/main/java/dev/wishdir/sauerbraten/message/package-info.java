/**
 * The messages of Cube 2: Sauerbraten, one record a message, named as the protocol names it.
 *
 * <p>Most codes mean the same in both directions. Where they do not, the server's form has the
 * protocol's name and the client's form has {@code Client} before it: {@code SetTeam} and {@code
 * ClientSetTeam} are both {@code N_SETTEAM}.
 */
@NullMarked
package dev.wishdir.sauerbraten.message;

import org.jspecify.annotations.NullMarked;

import { messages } from '@trunkline/contract/messages/user'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { User } from '@trunkline/contract/shapes/user'
import type { RemoveOptions } from '../../kit/record/remove-dialog'

/** Options for deleting users. Deleting your own user ends the session; the last administrator cannot be deleted. */
export const createUserRemoval = ({ scope, user_sid }: Actor): RemoveOptions<User> => {
  const isOwnUser = (row: User) => row.user_sid === user_sid
  return {
    removedMessage: ({ name }) => messages.removed(name),
    ...(user_sid ? { endsSession: isOwnUser } : {}),
    question: (row) => (isOwnUser(row) ? messages.ownUser.remove : undefined),
    // the server's message does not name the reason
    refusalMessage: (_row, { status }) => (status === 400 && scope === 'admin' ? messages.lastAdmin : undefined),
  }
}

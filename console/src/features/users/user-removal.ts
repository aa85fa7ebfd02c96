import { messages } from '@trunkline/contract/messages/user'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { User } from '@trunkline/contract/shapes/user'
import type { RemoveOptions } from '../../kit/record/remove-dialog'

/** The deletion of users. Deleting your own user ends the session; the last administrator cannot be deleted. */
export const userRemoval = ({ scope, user_sid }: Actor): RemoveOptions<User> => {
  const isOwn = (row: User) => row.user_sid === user_sid
  return {
    removedMessage: ({ name }) => messages.removed(name),
    ...(user_sid ? { endsSession: isOwn } : {}),
    question: (row) => (isOwn(row) ? messages.ownUser.remove : undefined),
    // the server's message does not name the reason
    refusalMessage: (_row, { status }) => (status === 400 && scope === 'admin' ? messages.lastAdmin : undefined),
  }
}

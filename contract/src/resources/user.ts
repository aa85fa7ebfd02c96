import { defineResource } from '../kit/resource'
import type { User, UserChanges, UserDraft } from '../shapes/user'

/** Users also change their password with `update`, which takes `old_password` and `new_password`. */
export const user = defineResource<User, UserDraft, UserChanges, { user_sid: string }>()({
  kind: 'user',
  path: '/Users',
  key: 'user_sid',
  noun: { singular: 'user', plural: 'users' },
  title: (row) => row.name,
})

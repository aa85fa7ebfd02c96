import { resource } from '../kit/resource'
import type { User, UserChanges, UserDraft } from '../shapes/user'

/** Changing one is also how a user changes the own password, with `old_password` and `new_password`. */
export const user = resource<User, UserDraft, UserChanges, { user_sid: string }>()({
  kind: 'user',
  path: '/Users',
  key: 'user_sid',
  noun: { singular: 'user', plural: 'users' },
  title: (row) => row.name,
})

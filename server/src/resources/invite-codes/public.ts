export { inviteCodeLimit, isUnusedInviteCode, useInviteCode } from './invite-codes'

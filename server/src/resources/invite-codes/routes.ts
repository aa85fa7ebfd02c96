import type { FastifyInstance } from 'fastify'
import { checkInviteCode, createInviteCodes } from '@trunkline/contract/resources/registration'
import * as shapes from '@trunkline/contract/shapes/registration'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { checkTenantAccess } from '../../http/tenant-access'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import { insertInviteCodes, inviteCodeLimit, isUnusedInviteCode, useInviteCode } from './invite-codes'

/** The routes of invite codes. They are mounted only in the hosted edition. */
export const inviteCodeRoutes = (
  app: FastifyInstance,
  { store, attemptCounts, hostedEdition }: Pick<Services, 'store' | 'attemptCounts' | 'hostedEdition'>,
): void => {
  if (!hostedEdition) return
  const { db } = store.database

  mountRoute(app, checkInviteCode, { body: shapes.inviteCodeSchema }, async ({ body: { code, test }, request }) => {
    refuseWhileWaiting(await attemptCounts.addForNetwork(inviteCodeLimit, request.ip))
    const isValid = code ? await (test ? isUnusedInviteCode(db, code) : useInviteCode(db, code)) : false
    if (!isValid) throw notFound()
  })

  mountRoute(
    app,
    createInviteCodes,
    { body: shapes.inviteCodeBatchSchema, response: shapes.inviteCodeBatchResponseSchema },
    async ({ body: { count }, actor, request }) => {
      checkTenantAccess(actor, 'create', 'invite_code')
      const codes = await insertInviteCodes(db, count)
      logSecurityEvent(request, 'invite_codes_created')
      return { status: 'ok' as const, added: codes.length, codes }
    },
  )
}

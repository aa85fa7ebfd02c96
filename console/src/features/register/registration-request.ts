import { messages } from '@trunkline/contract/messages/registration'
import { checkInviteCode, register } from '@trunkline/contract/resources/registration'
import type { RegistrationResponse } from '@trunkline/contract/shapes/registration'
import { request } from '../../lib/client'
import { hasCapabilities } from '../../lib/detect-server'
import { getFeatureFlags } from '../../lib/feature-flags'
import { Problem } from '../../lib/problem'
import { generateActivationCode } from '../../session/registration'

export interface RegistrationInput {
  email: string
  password: string
  inviteCode: string
}

export type RegistrationField = keyof RegistrationInput

/** The field that a refusal is about. v1 servers do not name it. */
export const findRefusedField = ({ field, msg }: Problem): RegistrationField | undefined => {
  if (field === 'email' || field === 'password' || field === 'inviteCode') return field
  if (/email$/.test(msg)) return 'email'
  return /^password/.test(msg) ? 'password' : undefined
}

/** Throws a refusal of the field unless the invite code is unused. */
const requireUnusedInviteCode = async (code: string) => {
  try {
    await request(checkInviteCode, { body: { code, test: true }, keepsSession: true })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 404) throw error
    throw new Problem(400, { msg: messages.invalidInviteCode, field: 'inviteCode' })
  }
}

/** Our server uses up the invite code itself when it creates the account. v1 servers ignore the code of a registration. */
const spendInviteCodeOnV1Server = async (code: string) => {
  const isV1Server = !(await hasCapabilities(getFeatureFlags().apiBaseUrl))
  // The account already exists, so an error here must not stop the user.
  if (isV1Server) await request(checkInviteCode, { body: { code }, keepsSession: true }).catch(() => undefined)
}

/** Registers an account whose user signs in with a password. */
export const registerWithPassword = async ({
  email,
  password,
  inviteCode,
}: RegistrationInput): Promise<RegistrationResponse> => {
  const { requiresInviteCode, defaultServiceProviderSid } = getFeatureFlags()
  if (requiresInviteCode) await requireUnusedInviteCode(inviteCode)
  const response = await request(register, {
    body: {
      provider: 'local',
      service_provider_sid: defaultServiceProviderSid,
      email,
      password,
      email_activation_code: generateActivationCode(),
      ...(requiresInviteCode ? { inviteCode } : {}),
    },
    keepsSession: true,
  })
  if (requiresInviteCode) await spendInviteCodeOnV1Server(inviteCode)
  return response
}

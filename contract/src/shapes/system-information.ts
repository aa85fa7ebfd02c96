import * as z from 'zod'
import { choice, optionalText } from '../kit/fields'
import { messages } from '../messages/system-information'
import { findInvalidNetwork } from '../telephony/private-network'

export const logLevels = ['info', 'debug'] as const

const domain = z.string().nullable().optional()

/** Empty until the first update. */
export const systemInformationSchema = z.object({
  domain_name: domain,
  sip_domain_name: domain,
  monitoring_domain_name: domain,
  private_network_cidr: domain,
  log_level: z.string().optional(),
})

/** Stored exactly as sent, including spaces, because clients read the value back. */
const networks = optionalText(8192).superRefine((list, context) => {
  const invalidNetwork = findInvalidNetwork(list ?? '')
  if (invalidNetwork !== undefined)
    context.addIssue({ code: 'custom', message: messages.invalidNetwork(invalidNetwork) })
})

export const systemInformationChangesSchema = z.strictObject({
  domain_name: optionalText(255),
  sip_domain_name: optionalText(255),
  monitoring_domain_name: optionalText(255),
  private_network_cidr: networks,
  log_level: choice(logLevels).optional(),
})

export type SystemInformation = z.output<typeof systemInformationSchema>
export type SystemInformationChanges = z.input<typeof systemInformationChangesSchema>

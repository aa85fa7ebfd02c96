import {
  defaultPasswordRule,
  maxPasswordLengthLimit,
  minPasswordLengthLimit,
  type PasswordRule,
} from '@trunkline/contract/session/password'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import type { SystemInformation } from '@trunkline/contract/shapes/system-information'
import { messages as providerMessages } from '@trunkline/contract/messages/service-provider'
import { messages } from '@trunkline/contract/messages/system-information'
import { isDomain } from '@trunkline/contract/telephony/address'
import { parsePrivateNetworks, findInvalidNetwork } from '@trunkline/contract/telephony/private-network'
import { getChangedFields } from '../../kit/form/changed-fields'
import { validateLimits, type LimitValues } from '../../panels/limit-values'
import type { FieldErrors } from '../../kit/form/form'

/** A service provider with its limits and, for administrators, the platform's settings. */
export type SettingsRecord = ServiceProvider & {
  limits: LimitValues
  platform?: { system: SystemInformation; password: PasswordRule }
}

/** The form values of the settings. A type, not an interface: the form library requires an index signature. */
export type SettingsValues = {
  name: string
  ms_teams_fqdn: string
  /** Shown in the hosted edition only. */
  root_domain: string
  limits: LimitValues
  system: {
    domain_name: string
    sip_domain_name: string
    monitoring_domain_name: string
    private_network_cidr: string
    log_level: 'info' | 'debug'
  }
  password: { min_password_length: string; require_digit: number; require_special_character: number }
}

const toSystemValues = (system: SystemInformation): SettingsValues['system'] => ({
  domain_name: system.domain_name ?? '',
  sip_domain_name: system.sip_domain_name ?? '',
  monitoring_domain_name: system.monitoring_domain_name ?? '',
  private_network_cidr: system.private_network_cidr ?? '',
  log_level: system.log_level === 'debug' ? 'debug' : 'info',
})

export const toSettingsValues = ({
  name,
  ms_teams_fqdn,
  root_domain,
  limits,
  platform,
}: SettingsRecord): SettingsValues => {
  const { system = {}, password = defaultPasswordRule } = platform ?? {}
  return {
    name,
    ms_teams_fqdn: ms_teams_fqdn ?? '',
    root_domain: root_domain ?? '',
    limits,
    system: toSystemValues(system),
    password: { ...password, min_password_length: String(password.min_password_length) },
  }
}

const blankToNull = (text: string) => text.trim() || null

const toSystemColumns = (system: SettingsValues['system']) => ({
  domain_name: blankToNull(system.domain_name),
  sip_domain_name: blankToNull(system.sip_domain_name),
  monitoring_domain_name: blankToNull(system.monitoring_domain_name),
  // some programs that read this value do not trim spaces after a comma
  private_network_cidr: blankToNull(parsePrivateNetworks(system.private_network_cidr).join(',')),
  log_level: system.log_level,
})

/**
 * Returns the changed columns of the provider. A change includes the unchanged webhook, because a server may delete it
 * if it is missing.
 */
export const getProviderChanges = (values: SettingsValues, record: SettingsRecord) => {
  const toColumns = ({ name, ms_teams_fqdn, root_domain }: SettingsValues) => ({
    name: name.trim(),
    ms_teams_fqdn: blankToNull(ms_teams_fqdn),
    root_domain: blankToNull(root_domain),
  })
  const changes = getChangedFields(toColumns(values), toColumns(toSettingsValues(record)))
  const { registration_hook } = record
  return Object.keys(changes).length > 0 && registration_hook ? { ...changes, registration_hook } : changes
}

export const getSystemChanges = ({ system }: SettingsValues, record: SettingsRecord) =>
  getChangedFields(toSystemColumns(system), toSystemColumns(toSettingsValues(record).system))

const toPasswordColumns = ({ min_password_length, ...flags }: SettingsValues['password']) => ({
  min_password_length: Number(min_password_length),
  require_digit: flags.require_digit ? (1 as const) : (0 as const),
  require_special_character: flags.require_special_character ? (1 as const) : (0 as const),
})

export const getPasswordChanges = ({ password }: SettingsValues, record: SettingsRecord) =>
  getChangedFields(toPasswordColumns(password), toPasswordColumns(toSettingsValues(record).password))

/** Returns the minimum lengths to choose from, and the stored one even if it is out of range. */
export const createLengthOptions = (storedLength: number | undefined): { value: string; label: string }[] => {
  const allowedLengths = Array.from(
    { length: maxPasswordLengthLimit - minPasswordLengthLimit + 1 },
    (_, index) => minPasswordLengthLimit + index,
  )
  const lengths =
    storedLength === undefined || allowedLengths.includes(storedLength)
      ? allowedLengths
      : [storedLength, ...allowedLengths]
  return lengths.map((length) => ({ value: String(length), label: String(length) }))
}

/** Whether a domain is empty, stored already, or well-formed. */
const isAcceptedDomain = (text: string, stored: string | null | undefined): boolean => {
  const domain = blankToNull(text)
  return domain === null || domain === stored || isDomain(domain)
}

export const findSettingsErrors = (
  { ms_teams_fqdn, root_domain, limits, system }: SettingsValues,
  record?: SettingsRecord,
): FieldErrors => {
  const invalidNetwork = findInvalidNetwork(system.private_network_cidr)
  return {
    ...(isAcceptedDomain(ms_teams_fqdn, record?.ms_teams_fqdn)
      ? {}
      : { ms_teams_fqdn: providerMessages.invalidTeamsDomain }),
    ...(isAcceptedDomain(root_domain, record?.root_domain) ? {} : { root_domain: providerMessages.invalidRootDomain }),
    ...validateLimits(limits),
    ...(invalidNetwork === undefined ? {} : { 'system.private_network_cidr': messages.invalidNetwork(invalidNetwork) }),
  }
}

import { messages } from '@trunkline/contract/messages/system-information'
import type { Actor } from '@trunkline/contract/policy/actor'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { passwordSettings, savePasswordSettings } from '@trunkline/contract/resources/session'
import { saveSystemInformation, systemInformation } from '@trunkline/contract/resources/system-information'
import { defaultPasswordRule } from '@trunkline/contract/session/password'
import { noLimits, readLimits, saveLimits } from '../../panels/limit-values'
import { uniqueProviderName, rethrowDuplicate } from '../../kit/form/duplicate-value'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { Problem } from '../../lib/problem'
import { toast } from '../../ui/feedback/toast'
import {
  getPasswordChanges,
  getProviderChanges,
  getSystemChanges,
  type SettingsValues,
  type SettingsRecord,
} from './values'

const readPlatformSettings = async (signal: AbortSignal) => {
  const [system, password] = await Promise.all([
    request(systemInformation, { signal }),
    request(passwordSettings, { signal }),
  ])
  return { system, password: { ...defaultPasswordRule, ...password } }
}

/** Reads the settings of a service provider and, for administrators, of the platform. */
export const readSettings = async (
  actor: Actor,
  service_provider_sid: string,
  signal: AbortSignal,
): Promise<SettingsRecord> => {
  const params = { service_provider_sid }
  const [provider, limits, platform] = await Promise.all([
    request(serviceProvider.read, { params, signal }),
    getFeatureFlags().allLimits ? noLimits : readLimits(params, signal),
    actor.scope === 'admin' ? readPlatformSettings(signal) : undefined,
  ])
  return { ...provider, limits, ...(platform ? { platform } : {}) }
}

/** Rethrows a server error with the path of the form's field. */
const rethrowAtField = (formSection: 'system' | 'password') => (error: unknown) => {
  if (!(error instanceof Problem) || error.hasEndedSession || !error.field) throw error
  throw new Problem(error.status, { msg: error.msg, field: `${formSection}.${error.field}` })
}

const savePlatformSettings = async (values: SettingsValues, record: SettingsRecord) => {
  const system = getSystemChanges(values, record)
  if (Object.keys(system).length > 0)
    await request(saveSystemInformation, { body: system }).catch(rethrowAtField('system'))
  const password = getPasswordChanges(values, record)
  if (Object.keys(password).length === 0) return
  await request(savePasswordSettings, { body: password }).catch(rethrowAtField('password'))
  toast.ok(messages.passwordSaved)
}

/** Saves the changes, each part with its own request. */
export const saveSettings = async (values: SettingsValues, record: SettingsRecord): Promise<void> => {
  const { service_provider_sid } = record
  const body = getProviderChanges(values, record)
  if (Object.keys(body).length > 0)
    await request(serviceProvider.update, { params: { service_provider_sid }, body }).catch(
      rethrowDuplicate(uniqueProviderName),
    )
  await saveLimits({ service_provider_sid }, values.limits, record.limits)
  if (record.platform) await savePlatformSettings(values, record)
}

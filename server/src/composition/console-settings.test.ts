import { afterEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../test/backend'
import { createSeededDatabase } from '../../test/databases'
import { hostedEdition } from '../../test/hosted-edition'
import { defaultServiceProviderSid } from '../db/seed-data'
import { createConsoleSettings } from './console-settings'

let backend: Backend | undefined
afterEach(() => backend?.close())

const readSettings = async () => (await backend!.app.inject('/config.json')).json<Record<string, unknown>>()

describe('the settings of the console', () => {
  it('contain no stored values without the hosted edition', async () => {
    backend = await startBackend()
    expect(await readSettings()).toMatchObject({ passwordSettings: null, defaultServiceProviderSid: null })
  })

  it('contain the password rules and the provider of new accounts in the hosted edition', async () => {
    backend = await startBackend({ config: { hostedEdition } })
    const { db } = backend.database
    await db.insertInto('password_settings').values({ min_password_length: 12, require_digit: 1 }).execute()
    expect(await readSettings()).toMatchObject({
      passwordSettings: { min_password_length: 12, require_digit: 1, require_special_character: 0 },
      // The test data contains several providers, and no setting selects one.
      defaultServiceProviderSid: null,
    })
  })

  it('contain the default password rules, and the configured or the only provider', async () => {
    const serviceProviderSid = defaultServiceProviderSid
    backend = await startBackend({ config: { hostedEdition: { ...hostedEdition, serviceProviderSid } } })
    const expectedSettings = {
      passwordSettings: { min_password_length: 8 },
      defaultServiceProviderSid: serviceProviderSid,
    }
    expect(await readSettings()).toMatchObject(expectedSettings)
    const database = await createSeededDatabase()
    const { passwordRule } = backend.services
    const store = { ...backend.services.store, database }
    const readFeatures = createConsoleSettings(defaultFeatureFlags, { passwordRule, store, hostedEdition })
    expect(await readFeatures()).toMatchObject(expectedSettings)
    await database.close()
  })

  it('are sent even if the database does not work', async () => {
    backend = await startBackend({ config: { hostedEdition } })
    await backend.database.db.schema.dropTable('password_settings').execute()
    expect(await readSettings()).toMatchObject({ apiBaseUrl: '/v1', passwordSettings: null })
  })
})

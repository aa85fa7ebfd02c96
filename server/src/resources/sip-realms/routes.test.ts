import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import { startDnsMadeEasyDouble, type DnsMadeEasyDouble } from '../../../test/doubles/dns-made-easy'
import { newPassword, rootDomain, startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'
import { createDnsMadeEasy } from '../../adapters/dns/dns-made-easy'

interface Registrant {
  client: ApiClient
  account_sid: string
}

describe.each(databaseEngines)('SIP realms of registered accounts (%s)', (databaseEngine) => {
  let backend: HostedBackend
  let dnsDouble: DnsMadeEasyDouble | undefined
  const start = async (withDns: boolean) => {
    dnsDouble = withDns ? await startDnsMadeEasyDouble('example.com') : undefined
    backend = await startHostedBackend({
      databaseEngine,
      ...(dnsDouble ? { externalServices: { dns: createDnsMadeEasy(dnsDouble.options) } } : {}),
    })
  }
  afterEach(async () => {
    await backend.close()
    await dnsDouble?.stop()
  })

  const registerUser = async (email: string): Promise<Registrant> => {
    const { client, registration } = await backend.registerUser(email)
    return { client, account_sid: registration.account_sid }
  }
  const setRealm = ({ client, account_sid }: Registrant, realm: string) =>
    client('POST', `/Accounts/${account_sid}/SipRealms/${encodeURIComponent(realm)}`)
  const readRealm = async ({ client, account_sid }: Registrant) =>
    (await client('GET', `/Accounts/${account_sid}`)).body.sip_realm
  const addSbc = (ipv4: string) => createApiClient(backend.app, backend.testData.keys.admin)('POST', '/Sbcs', { ipv4 })
  const isAvailable = async ({ client }: Registrant, realm: string) =>
    (await client('GET', `/Availability?type=subdomain&value=${realm}`)).body.available

  describe('without a DNS provider', () => {
    let anna: Registrant
    beforeEach(async () => {
      await start(false)
      anna = await registerUser('anna@example.com')
    })

    it('are stored in lower case', async () => {
      expect((await setRealm(anna, `Anna-1.${rootDomain}`)).status).toBe(204)
      expect(await readRealm(anna)).toBe(`anna-1.${rootDomain}`)
      // The same realm again changes nothing.
      expect((await setRealm(anna, `anna-1.${rootDomain}`)).status).toBe(204)
    })

    it.each([
      'anna',
      `an.${rootDomain}`,
      `-anna.${rootDomain}`,
      `anna-.${rootDomain}`,
      `an_na.${rootDomain}`,
      `a.nna.${rootDomain}`,
      rootDomain,
      'anna.evil.example',
      `anna.x${rootDomain}`,
      `${'a'.repeat(64)}.${rootDomain}`,
    ])('are refused if they are malformed or below another domain: %s', async (realm) => {
      expect(await setRealm(anna, realm)).toMatchObject({
        status: 400,
        body: { msg: `invalid sip_realm: ${realm.toLowerCase()}`, field: 'sip_realm' },
      })
      expect(await readRealm(anna)).toBeNull()
    })

    it('are unique, and names of operators are reserved', async () => {
      const bert = await registerUser('bert@example.com')
      expect(await isAvailable(bert, `voice.${rootDomain}`)).toBe(true)
      await setRealm(anna, `voice.${rootDomain}`)
      expect(await isAvailable(bert, `VOICE.${rootDomain}`)).toBe(false)
      expect((await setRealm(bert, `VOICE.${rootDomain}`)).status).toBe(422)
      expect(await isAvailable(bert, `www.${rootDomain}`)).toBe(false)
      expect((await setRealm(bert, `www.${rootDomain}`)).status).toBe(422)
    })

    it('need a root domain', async () => {
      await backend.services.providers.update(backend.serviceProviderSid, { root_domain: null })
      expect(await setRealm(anna, `anna.${rootDomain}`)).toMatchObject({
        status: 422,
        body: { msg: `root_domain missing for service provider ${backend.serviceProviderSid}` },
      })
    })

    it('can be set only for the own account, and not with the token of an unconfirmed registration', async () => {
      const bert = await registerUser('bert@example.com')
      const path = `/Accounts/${anna.account_sid}/SipRealms/bert.${rootDomain}`
      expect((await bert.client('POST', path)).status).toBe(404)
      for (const key of [backend.testData.keys.admin, backend.testData.keys.north])
        expect((await createApiClient(backend.app, key)('POST', path)).status).toBe(403)
      const { body } = await backend.register('carl@example.com')
      const unconfirmed = { client: createApiClient(backend.app, body.jwt), account_sid: body.account_sid }
      expect((await setRealm(unconfirmed, `carl.${rootDomain}`)).status).toBe(403)
      expect(await readRealm(anna)).toBeNull()
    })
  })

  describe('with a DNS provider', () => {
    let anna: Registrant
    beforeEach(async () => {
      await start(true)
      anna = await registerUser('anna@example.com')
    })

    const recordsOf = (name: string) => [
      `A ${name}.sip 198.51.100.1`,
      `A ${name}.sip 198.51.100.2`,
      `SRV _sip._udp.${name}.sip ${name}.sip`,
    ]
    const addSbcs = async () => {
      await addSbc('198.51.100.1')
      await addSbc('198.51.100.2')
    }

    it('get an A record for each SBC, and an SRV record', async () => {
      await addSbcs()
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(204)
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('anna'))
    })

    it('need SBCs', async () => {
      expect(await setRealm(anna, `anna.${rootDomain}`)).toMatchObject({
        status: 422,
        body: { msg: 'no SBC addresses provisioned in the database!' },
      })
      expect(await readRealm(anna)).toBeNull()
    })

    it('need SBCs with an IPv4 address', async () => {
      await addSbc('sbc.example.com')
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(422)
      await addSbcs()
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(204)
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('anna'))
    })

    it("never take or delete the operator's own records", async () => {
      await addSbcs()
      for (const record of [
        { type: 'A', name: 'portal.sip', value: '203.0.113.5' },
        { type: 'CNAME', name: 'shop.sip', value: 'shops' },
      ])
        dnsDouble?.addRecord(record)
      const operatorRecords = ['A portal.sip 203.0.113.5', 'CNAME shop.sip shops']
      for (const name of ['portal', 'shop']) expect((await setRealm(anna, `${name}.${rootDomain}`)).status).toBe(422)
      for (const failure of ['refuse', 'lose-response', 'none'] as const) {
        dnsDouble?.setFailure(failure)
        expect((await setRealm(anna, `portal.${rootDomain}`)).status).not.toBe(204)
      }
      await backend.services.dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual(operatorRecords)
      expect(await readRealm(anna)).toBeNull()
    })

    it('can be chosen again at once after a request without a response', async () => {
      await addSbcs()
      dnsDouble?.setFailure('lose-response')
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(503)
      dnsDouble?.setFailure('none')
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(204)
      await backend.services.dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('anna'))
    })

    it('keep the records that another request creates while an abandoned creation is cleared', async () => {
      await addSbcs()
      const { dnsRemovals } = backend.services
      const realm = `anna.${rootDomain}`
      const abandonedSid = await dnsRemovals.startCreation(realm)
      await dnsRemovals.cancelCreation(abandonedSid, realm)
      const removalSid = await dnsRemovals.startCreation(realm)
      await createDnsMadeEasy(dnsDouble!.options).createRealm({ realm, addresses: ['198.51.100.1', '198.51.100.2'] })
      await dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('anna'))
      // This request is abandoned too: its row covers the records.
      await dnsRemovals.cancelCreation(removalSid, realm)
      await dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual([])
    })

    it('lose their records when the provider changes or clears the realm', async () => {
      await addSbcs()
      const admin = createApiClient(backend.app, backend.testData.keys.admin)
      for (const sip_realm of ['anna.example.net', null]) {
        expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(204)
        expect((await admin('PUT', `/Accounts/${anna.account_sid}`, { sip_realm })).status).toBe(204)
        await backend.services.dnsRemovals.removeDue()
        expect(dnsDouble?.listRecords()).toEqual([])
      }
    })

    it('get records if the realm was set without them', async () => {
      await addSbcs()
      await backend.services.accounts.update(anna.account_sid, { sip_realm: `anna.${rootDomain}` })
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(204)
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('anna'))
      // Now the same request changes nothing.
      expect((await setRealm(anna, `anna.${rootDomain}`)).status).toBe(204)
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('anna'))
    })

    it('are not retried for records that someone else has deleted', async () => {
      await addSbcs()
      await setRealm(anna, `anna.${rootDomain}`)
      dnsDouble?.deleteAllRecords()
      await anna.client('DELETE', `/Accounts/${anna.account_sid}`, { password: newPassword })
      await backend.services.dnsRemovals.removeDue()
      expect(await backend.database.db.selectFrom('trunkline_dns_removals').selectAll().execute()).toEqual([])
    })

    it('lose the records of the previous realm when they change', async () => {
      await addSbcs()
      await setRealm(anna, `anna.${rootDomain}`)
      await setRealm(anna, `other.${rootDomain}`)
      await backend.services.dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('other'))
    })

    it('are not stored if the DNS provider refuses or does not respond, and no record is left', async () => {
      await addSbcs()
      for (const failure of ['refuse', 'lose-response'] as const) {
        dnsDouble?.setFailure(failure)
        const response = await setRealm(anna, `anna.${rootDomain}`)
        expect(response).toMatchObject({ status: 503, body: { msg: expect.stringContaining('DNS provider') } })
        expect(await readRealm(anna)).toBeNull()
      }
      dnsDouble?.setFailure('none')
      await backend.services.dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual([])
    })

    it('keep the records of the winner if two accounts choose the same realm at the same time', async () => {
      await addSbcs()
      const bert = await registerUser('bert@example.com')
      const responses = await Promise.all([anna, bert].map((registrant) => setRealm(registrant, `voice.${rootDomain}`)))
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 422])
      await backend.services.dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual(recordsOf('voice'))
    })

    it('lose their records with the account, also if the DNS provider is away at first', async () => {
      await addSbcs()
      await setRealm(anna, `anna.${rootDomain}`)
      dnsDouble?.setFailure('refuse')
      const { status } = await anna.client('DELETE', `/Accounts/${anna.account_sid}`, { password: newPassword })
      expect(status).toBe(204)
      await expect(backend.services.dnsRemovals.removeDue()).rejects.toThrow('The DNS provider refused')
      dnsDouble?.setFailure('none')
      await backend.database.db.updateTable('trunkline_dns_removals').set({ due_at: 0 }).execute()
      await backend.services.dnsRemovals.removeDue()
      expect(dnsDouble?.listRecords()).toEqual([])
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const noContent = {
  domain_name: null,
  sip_domain_name: null,
  monitoring_domain_name: null,
  private_network_cidr: null,
  log_level: 'info',
}

describe.each(engines)('system information (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterAll(() => backend.close())

  const path = '/SystemInformation'
  const rows = () => backend.database.db.selectFrom('system_information').selectAll().execute()

  it('is empty at first, and one row after parallel changes', async () => {
    await backend.database.db.deleteFrom('system_information').execute()
    expect(await admin('GET', path)).toMatchObject({ status: 200, body: {} })
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => admin('POST', path, { domain_name: `${name}.example.com` })),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await rows()).toHaveLength(1)
  })

  it('is updated field by field and returned completely', async () => {
    await backend.database.db.deleteFrom('system_information').execute()
    expect(await admin('POST', path, {})).toMatchObject({ status: 201, body: noContent })
    const first = { domain_name: 'example.com', sip_domain_name: 'sip.example.com' }
    expect(await admin('POST', path, first)).toMatchObject({ status: 201, body: { ...noContent, ...first } })
    const second = {
      sip_domain_name: null,
      monitoring_domain_name: 'graphs.example.com',
      private_network_cidr: '10.0.0.0/8, 192.168.1.1',
      log_level: 'DEBUG',
    }
    const whole = {
      domain_name: 'example.com',
      sip_domain_name: null,
      monitoring_domain_name: 'graphs.example.com',
      private_network_cidr: '10.0.0.0/8, 192.168.1.1',
      log_level: 'debug',
    }
    expect((await admin('POST', path, second)).body).toEqual(whole)
    expect((await admin('POST', path, {})).body).toEqual(whole)
    expect((await admin('GET', path)).body).toEqual(whole)
    expect(await rows()).toHaveLength(1)
  })

  it.each([
    [{ host_name: 'x' }, 'host_name', 'unknown field host_name'],
    [{ domain_name: 'x'.repeat(256) }, 'domain_name', 'domain_name must be at most 255 characters'],
    [{ sip_domain_name: 5 }, 'sip_domain_name', 'sip_domain_name must be a string'],
    [{ monitoring_domain_name: 'a\0b' }, 'monitoring_domain_name', undefined],
    [{ log_level: 'loud' }, 'log_level', 'log_level must be one of info, debug'],
    [{ log_level: null }, 'log_level', undefined],
    [{ private_network_cidr: '10.0.0.0/40' }, 'private_network_cidr', 'Invalid private network CIDR "10.0.0.0/40"'],
    [{ private_network_cidr: '10.0.0.1,nowhere' }, 'private_network_cidr', 'Invalid private network CIDR "nowhere"'],
    [
      { private_network_cidr: Array(1000).fill('10.0.0.0/8').join() },
      'private_network_cidr',
      'private_network_cidr must be at most 8192 characters',
    ],
  ])('refuses invalid values (%#)', async (body, field, msg) => {
    const initialSnapshot = await snapshot(backend.database)
    const reply = await admin('POST', path, body)
    expect(reply).toMatchObject({ status: 400, body: { field, ...(msg ? { msg } : {}) } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })
})

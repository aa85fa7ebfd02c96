import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const defaults = {
  domain_name: null,
  sip_domain_name: null,
  monitoring_domain_name: null,
  private_network_cidr: null,
  log_level: 'info',
}

describe.each(databaseEngines)('system information (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  const path = '/SystemInformation'
  const rows = () => backend.database.db.selectFrom('system_information').selectAll().execute()

  it('is empty initially, and a single row after parallel changes', async () => {
    await backend.database.db.deleteFrom('system_information').execute()
    expect(await adminClient('GET', path)).toMatchObject({ status: 200, body: {} })
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => adminClient('POST', path, { domain_name: `${name}.example.com` })),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await rows()).toHaveLength(1)
  })

  it('is updated field by field and returned completely', async () => {
    await backend.database.db.deleteFrom('system_information').execute()
    expect(await adminClient('POST', path, {})).toMatchObject({ status: 201, body: defaults })
    const initialFields = { domain_name: 'example.com', sip_domain_name: 'sip.example.com' }
    expect(await adminClient('POST', path, initialFields)).toMatchObject({
      status: 201,
      body: { ...defaults, ...initialFields },
    })
    const changes = {
      sip_domain_name: null,
      monitoring_domain_name: 'graphs.example.com',
      private_network_cidr: '10.0.0.0/8, 192.168.1.1',
      log_level: 'DEBUG',
    }
    const updatedFields = {
      domain_name: 'example.com',
      sip_domain_name: null,
      monitoring_domain_name: 'graphs.example.com',
      private_network_cidr: '10.0.0.0/8, 192.168.1.1',
      log_level: 'debug',
    }
    expect((await adminClient('POST', path, changes)).body).toEqual(updatedFields)
    expect((await adminClient('POST', path, {})).body).toEqual(updatedFields)
    expect((await adminClient('GET', path)).body).toEqual(updatedFields)
    expect(await rows()).toHaveLength(1)
  })

  it.each([
    [{ host_name: 'x' }, 'host_name', 'unknown field host_name'],
    [{ domain_name: 'x'.repeat(256) }, 'domain_name', 'domain_name must be at most 255 characters'],
    [{ sip_domain_name: 5 }, 'sip_domain_name', 'sip_domain_name must be a string'],
    [{ monitoring_domain_name: 'a\0b' }, 'monitoring_domain_name', undefined],
    [{ log_level: 'loud' }, 'log_level', 'log_level must be one of info, debug'],
    [{ log_level: null }, 'log_level', undefined],
    [
      { private_network_cidr: '10.0.0.0/40' },
      'private_network_cidr',
      '"10.0.0.0/40" is not an IPv4 address or a network such as 10.0.0.0/8.',
    ],
    [
      { private_network_cidr: '10.0.0.1,nowhere' },
      'private_network_cidr',
      '"nowhere" is not an IPv4 address or a network such as 10.0.0.0/8.',
    ],
    [
      { private_network_cidr: Array(1000).fill('10.0.0.0/8').join() },
      'private_network_cidr',
      'private_network_cidr must be at most 8192 characters',
    ],
  ])('refuses invalid values (%#)', async (body, field, msg) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const response = await adminClient('POST', path, body)
    expect(response).toMatchObject({ status: 400, body: { field, ...(msg ? { msg } : {}) } })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })
})

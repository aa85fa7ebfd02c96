import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { projectPath } from './paths.mjs'

/** The path of Helm. */
const { TEST_HELM: helm } = process.env
const chart = projectPath('deploy', 'helm', 'trunkline')

interface Manifest {
  kind: string
  data?: Record<string, unknown>
  stringData?: Record<string, unknown>
  spec?: Record<string, unknown>
}

const runHelm = (args: string[]) => execFileSync(helm!, args, { encoding: 'utf8', stdio: 'pipe' })

/** Renders the chart. Returns the manifests by kind. */
const parseManifests = (args: string[]): Record<string, Manifest> => {
  const text = runHelm(['template', 'voice', chart, ...args])
  const manifests = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
  return Object.fromEntries(manifests.map((manifest) => [manifest.kind, manifest]))
}

const render = (...values: string[]) => parseManifests(values.flatMap((value) => ['--set', value]))

const sharedSecrets = ['DATABASE_URL=mysql://db/trunkline', 'JWT_SECRET=one', 'ENCRYPTION_SECRET=two'].map(
  (setting) => `secrets.${setting}`,
)

describe.skipIf(!helm)('the chart', () => {
  it('passes the checks of Helm', () => {
    expect(runHelm(['lint', '--strict', chart])).toContain('0 chart(s) failed')
  })

  it('runs one replica without an ingress by default', () => {
    const manifests = render()
    expect(Object.keys(manifests).sort()).toEqual(['ConfigMap', 'Secret', 'Service', 'StatefulSet'])
    expect(manifests.StatefulSet?.spec).toMatchObject({ replicas: 1, serviceName: 'voice-pods' })
  })

  it('leaves the number of replicas to the autoscaler', () => {
    const manifests = render('autoscaling.enabled=true', 'ingress.enabled=true', ...sharedSecrets)
    expect(manifests.StatefulSet?.spec).not.toHaveProperty('replicas')
    expect(manifests.HorizontalPodAutoscaler?.spec).toMatchObject({
      scaleTargetRef: { kind: 'StatefulSet', name: 'voice' },
      minReplicas: 2,
    })
    expect(manifests.Ingress?.spec).toMatchObject({ rules: [{ host: 'voice.example.com' }] })
  })

  it('refuses several replicas without shared secrets', () => {
    expect(() => render('replicas=2')).toThrow('Several replicas need secrets.DATABASE_URL')
    expect(render('replicas=2', 'existingSecret=mine')).not.toHaveProperty('Secret')
  })

  it('writes numbers and booleans as text, because Kubernetes refuses other values', () => {
    const numbers = ['settings.SHUTDOWN_DELAY=5', 'settings.OTEL_TRACES_SAMPLER_ARG=0.1', 'settings.PORT=10000000']
    const { ConfigMap, Secret } = render(...numbers, 'settings.ENABLE_INGEST=true', 'secrets.JWT_SECRET=12345678')
    expect(ConfigMap?.data).toMatchObject({
      SHUTDOWN_DELAY: '5',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      PORT: '10000000',
      ENABLE_INGEST: 'true',
    })
    expect(Secret?.stringData).toEqual({ JWT_SECRET: '12345678' })
  })

  it('accepts whole numbers of a values file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-helm-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'values.yaml')
    writeFileSync(file, 'settings: { PORT: 10000000, OTEL_TRACES_SAMPLER_ARG: 0.1, ENABLE_INGEST: true }')
    expect(parseManifests(['--values', file]).ConfigMap?.data).toMatchObject({
      PORT: '10000000',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      ENABLE_INGEST: 'true',
    })
  })
})

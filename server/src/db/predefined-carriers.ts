import type { Insertable } from 'kysely'
import type { Tables } from './schema'

/** sid, address, netmask, port, and the direction of the calls or messages. */
type GatewayTuple = readonly [sid: string, address: string, netmask: number, port: number, direction: 'in' | 'out']

interface PredefinedCarrier {
  carrier: Insertable<Tables['predefined_carriers']>
  sipGateways: readonly GatewayTuple[]
  smppGateways: readonly GatewayTuple[]
}

/** The carriers that a new installation offers as templates. Users replace the placeholders in angle brackets. */
export const predefinedCarriers: readonly PredefinedCarrier[] = [
  {
    carrier: {
      predefined_carrier_sid: '17479288-bb9f-421a-89d1-f4ac57af1dca',
      name: 'TelecomsXChange',
      e164_leading_plus: 0,
      trunk_type: 'static_ip',
      tech_prefix: 'your-tech-prefix',
    },
    sipGateways: [
      ['c9c3643e-9a83-4b78-b172-9c09d911bef5', '174.136.44.213', 32, 5060, 'in'],
      ['3b5b7fa5-4e61-4423-b921-05c3283b2101', 'sip01.TelecomsXChange.com', 32, 5060, 'out'],
    ],
    smppGateways: [
      ['9b72467a-cfe3-491f-80bf-652c38e666b9', 'smpp01.telecomsxchange.com', 32, 2776, 'out'],
      ['d22883b9-f124-4a89-bab2-4487cf783f64', '174.136.44.11', 32, 2775, 'in'],
      ['fdcf7f1e-1f5f-487b-afb3-c0f75ed0aa3d', '174.136.44.213', 32, 2775, 'in'],
    ],
  },
  {
    carrier: {
      predefined_carrier_sid: '7d509a18-bbff-4c5d-b21e-b99bf8f8c49a',
      name: 'Twilio',
      e164_leading_plus: 1,
      trunk_type: 'static_ip',
      register_username: '<your-twilio-credential-username>',
      register_password: '<your-twilio-credential-password>',
    },
    sipGateways: [
      ['d2ccfcb1-9198-4fe9-a0ca-6e49395837c4', '54.172.60.0', 30, 5060, 'in'],
      ['6b1d0032-4430-41f1-87c6-f22233d394ef', '54.244.51.0', 30, 5060, 'in'],
      ['0de40217-8bd5-4aa8-a9fd-1994282953c6', '54.171.127.192', 30, 5060, 'in'],
      ['37bc0b20-b53c-4c31-95a6-f82b1c3713e3', '35.156.191.128', 30, 5060, 'in'],
      ['39791f4e-b612-4882-a37e-e92711a39f3f', '54.65.63.192', 30, 5060, 'in'],
      ['81a0c8cb-a33e-42da-8f20-99083da6f02f', '54.252.254.64', 30, 5060, 'in'],
      ['eeeef07a-46b8-4ffe-a4f2-04eb32ca889e', '54.169.127.128', 30, 5060, 'in'],
      ['fbb6c194-4b68-4dff-9b42-52412be1c39e', '177.71.206.192', 30, 5060, 'in'],
      ['973e7824-0cf3-4645-88e4-d2460ddb8577', '168.86.128.0', 18, 5060, 'in'],
      ['3ed1dd12-e1a7-44ff-811a-3cc5dc13dc72', '<your-domain>.pstn.twilio.com', 32, 5060, 'out'],
    ],
    smppGateways: [],
  },
  {
    carrier: {
      predefined_carrier_sid: '032d90d5-39e8-41c0-b807-9c88cffba65c',
      name: 'Voxbone',
      e164_leading_plus: 1,
      trunk_type: 'static_ip',
      register_username: '<your-voxbone-outbound-username>',
      register_password: '<your-voxbone-outbound-password>',
      diversion: '<your-voxbone-DID>',
    },
    sipGateways: [
      ['d531c582-2103-42a0-b9f0-f80c215b3ec5', '81.201.83.45', 32, 5060, 'in'],
      ['95c888e5-c959-4d92-82c4-8597dddff75e', '81.201.86.45', 32, 5060, 'in'],
      ['1de3b2a1-96f0-407a-bcc4-ce371d823a8d', '81.201.82.45', 32, 5060, 'in'],
      ['50c1f91a-6080-4495-a241-6bba6e9d9688', '81.201.85.45', 32, 5060, 'in'],
      ['e6ebad33-80d5-4dbb-bc6f-a7ae08160cc6', '81.201.84.45', 32, 5060, 'in'],
      ['7bae60b3-4237-4baa-a711-30ea3bce19d8', '185.47.148.45', 32, 5060, 'in'],
      ['bc933522-18a2-47d8-9ae4-9faa8de4e927', 'outbound.voxbone.com', 32, 5060, 'out'],
    ],
    smppGateways: [],
  },
  {
    carrier: {
      predefined_carrier_sid: 'e6fb301a-1af0-4fb8-a1f6-f65530c6e1c6',
      name: 'Simwood',
      e164_leading_plus: 1,
      trunk_type: 'static_ip',
      register_username: '<your-simwood-auth-trunk-username>',
      register_password: '<your-simwood-auth-trunk-password>',
    },
    sipGateways: [
      ['91cb050f-9826-4ac9-b736-84a10372a9fe', '178.22.139.77', 32, 5060, 'in'],
      ['58700fad-98bf-4d31-b61e-888c54911b35', '185.63.140.77', 32, 5060, 'in'],
      ['d020fd9e-7fdb-4bca-ae0d-e61b38142873', '185.63.142.77', 32, 5060, 'in'],
      ['38d8520a-527f-4f8e-8456-f9dfca742561', '172.86.225.77', 32, 5060, 'in'],
      ['834f8b0c-d4c2-4f3e-93d9-cf307995eedd', '172.86.225.88', 32, 5060, 'in'],
      ['5f431d42-48e4-44ce-a311-d946f0b475b6', 'out.simwood.com', 32, 5060, 'out'],
    ],
    smppGateways: [],
  },
  {
    carrier: {
      predefined_carrier_sid: '541ef8ec-0524-4a1d-b9c4-2a672764992e',
      name: 'Retell',
      e164_leading_plus: 1,
      trunk_type: 'auth',
      inbound_auth_username: '<your-retell-auth-username>',
      inbound_auth_password: '<your-retell-auth-password>',
    },
    sipGateways: [['ac527058-9d65-46b6-b5dd-b0f007c3a686', 'sip.retellai.com', 32, 5060, 'out']],
    smppGateways: [],
  },
]

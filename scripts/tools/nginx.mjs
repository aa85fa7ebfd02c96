import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { host } from './daemon.mjs'

export const nginxProgram = { title: 'nginx', program: 'nginx', aptPackage: 'nginx' }

/**
 * Writes the configuration of a load balancer. Returns its path.
 * @param {string} folder
 * @param {number} port
 * @param {readonly { port: number, isDown: boolean }[]} servers
 */
export const writeNginxConfig = (folder, port, servers) => {
  const upstream = servers
    .map((server) => `server ${host}:${server.port} max_fails=1 fail_timeout=1s${server.isDown ? ' down' : ''};`)
    .join('\n    ')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream trunkline {
    ${upstream}
    keepalive 16;
  }
  server {
    listen ${host}:${port};
    location / {
      proxy_pass http://trunkline;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s;
    }
  }
}
`,
  )
  return file
}

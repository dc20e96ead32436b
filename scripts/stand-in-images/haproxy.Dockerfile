# haproxy:3.0 of Debian's HAProxy, which is 2.6.
FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends haproxy \
 && rm -rf /var/lib/apt/lists/* \
 && groupmod --gid 99 haproxy \
 && usermod --uid 99 haproxy \
 && install -d -o haproxy -g haproxy /var/lib/haproxy \
 && install -d /usr/local/etc/haproxy \
 && ln -s /etc/haproxy/errors /usr/local/etc/haproxy/errors
COPY entrypoint /usr/local/bin/docker-entrypoint.sh
STOPSIGNAL SIGUSR1
USER haproxy
WORKDIR /var/lib/haproxy
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["haproxy", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
